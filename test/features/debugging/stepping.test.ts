// Over random executions: stepping is complete, can be undone, and stops exactly where a brute-force search says.
import assert from 'node:assert/strict';
import type { RunItem } from '../../../src/model/runs/runItems.ts';
import { createRandom } from '../../support/randomNumbers.ts';
import { TestRecording } from './client.ts';
import { HeldClient } from './heldClient.ts';
import { randomNodeIds, randomRows } from './randomRows.ts';

const seeds = Array.from({ length: 30 }, (_, seed) => seed + 1);
const nameOf = ({ run: { nodeId, iteration, attempt } }: RunItem): string =>
  `${nodeId} ${iteration.join('.')} #${attempt}`;

/** All but the skipped ones, in order. */
function runsOf({ runs }: TestRecording): readonly RunItem[] {
  return Array.from({ length: runs.count }, (_, at) => runs.at(at) ?? assert.fail()).filter(
    ({ run }) => run.status?.state !== 'skipped',
  );
}

describe('stepping through an execution', () => {
  const open = (seed: number) => {
    const random = createRandom(seed);
    const recording = new TestRecording(randomNodeIds, randomRows(random));
    return { random, recording, client: new HeldClient(recording), runs: runsOf(recording) };
  };

  it('into everything visits exactly the recorded runs, in order', async () => {
    for (const seed of seeds) {
      const { client, runs } = open(seed);
      await client.launch();
      for (let count = 1; count < runs.length; count += 1) await client.go('stepIn');
      assert.deepEqual(client.stops.map(nameOf), runs.map(nameOf), `seed ${seed}`);
      assert.equal((await client.go('stepIn')).description, 'Paused on the last node run');
      assert.equal(client.current, runs.at(-1));
      client.session.dispose();
    }
  });

  it('is undone step by step, whichever steps they were', async () => {
    for (const seed of seeds) {
      const { random, client } = open(seed);
      await client.launch();
      const way: RunItem[] = [];
      for (let count = 0; count < 12; count += 1) {
        const before = client.current;
        await client.go(['next', 'stepIn', 'stepOut'][Math.floor(random() * 3)] ?? 'next');
        if (client.current !== before) way.push(before);
      }
      for (const expected of way.reverse()) {
        await client.go('stepBack');
        assert.equal(nameOf(client.current), nameOf(expected), `seed ${seed}`);
      }
      assert.equal((await client.go('stepBack')).description, 'Paused on the first node run');
      client.session.dispose();
    }
  });

  it('over a loop or attempts stays outside of them, in order', async () => {
    for (const seed of seeds) {
      const { client, runs } = open(seed);
      const outside = runs.filter(({ run, isSuperseded }) => run.iteration.length === 0 && !isSuperseded);
      await client.launch();
      // The first run may be an attempt that failed.
      while (client.current !== outside[0]) await client.go('stepIn');
      const from = client.stops.length - 1;
      for (let count = 1; count < outside.length; count += 1) await client.go('next');
      assert.deepEqual(client.stops.slice(from).map(nameOf), outside.map(nameOf), `seed ${seed}`);
      client.session.dispose();
    }
  });

  it('goes on to exactly the runs for which the condition is true, and back', async () => {
    for (const seed of seeds) {
      const { client, runs } = open(seed);
      const isHit = ({ run: { nodeId, iteration } }: RunItem): boolean =>
        nodeId === 'd' && (iteration.at(-1) ?? 0) % 2 === 1;
      const expected = runs.filter(isHit);
      await client.launch(() => client.breakAt(11, { condition: 'index % 2 = 1' }));
      for (const run of expected) {
        assert.equal((await client.go('continue')).reason, 'breakpoint');
        assert.equal(nameOf(client.current), nameOf(run), `seed ${seed}`);
      }
      for (const run of expected.slice(0, -1).reverse()) {
        await client.go('reverseContinue');
        assert.equal(nameOf(client.current), nameOf(run), `seed ${seed}`);
      }
      assert.equal((await client.go('reverseContinue')).reason, 'entry');
      assert.equal(client.current, runs[0]);
      client.session.dispose();
    }
  });
});
