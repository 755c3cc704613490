// A way over very many runs shows how far it has come, and ends where it is when somebody cancels it.
import assert from 'node:assert/strict';
import * as v from 'valibot';
import { makeNodeLog, statusOf } from '../../support/memory/records.ts';
import { TestRecording } from './client.ts';
import { HeldClient } from './heldClient.ts';

const status = statusOf('completed');
const count = 20_000;
const rows = [
  makeNodeLog(1, { nodeId: 'start', status }),
  makeNodeLog(2, { nodeId: 'each', nodeType: 'forEach', status }),
  ...Array.from({ length: count }, (_, index) =>
    makeNodeLog(index + 3, { nodeId: 'ask', iteration: [index], status }),
  ),
];
const Progress = v.looseObject({ progressId: v.string() });

describe('a long way of a session', () => {
  let client: HeldClient;
  afterEach(() => client.session.dispose());

  for (const [way, from] of [
    ['continue', 'start'],
    ['reverseContinue', 'end'],
  ] as const)
    it(`shows how far it has come, and stops there when it is cancelled: ${way}`, async () => {
      const recording = new TestRecording(['start', 'each', 'ask'], rows);
      client = new HeldClient(recording);
      await client.launch();
      if (from === 'end') {
        await client.breakAt(5, { hitCondition: String(count) });
        await client.go('continue');
      }
      const begin = client.current.position;
      const { length: before } = client.events;
      assert.equal(begin, from === 'end' ? count + 1 : 0);
      await client.breakAt(5, { condition: 'index = -1' });
      const started = client.next('progressStart');
      const stopped = client.next('stopped');
      await client.ask(way);
      const { progressId, cancellable } = v.parse(Progress, await started);
      assert.equal(cancellable, true);
      await client.ask('cancel', { progressId });
      assert.equal(v.parse(v.looseObject({ reason: v.string() }), await stopped).reason, 'pause');
      const { position } = client.current;
      assert.ok(position > 0 && position <= count && position !== begin, String(position));
      const ended = client.events.slice(before).filter(({ event }) => event === 'progressEnd');
      assert.deepEqual(
        ended.map(({ body }) => body),
        [{ progressId }],
      );
      await client.go('next');
    });
});
