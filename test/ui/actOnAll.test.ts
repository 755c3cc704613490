// One action on several rows: the rest is done when one fails, and what one alone fails with is thrown.
import assert from 'node:assert/strict';
import { Budgets } from '../../src/api/budget/budgets.ts';
import { createClient } from '../../src/api/client.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { Cancelled } from '../../src/editor/prompts/prompts.ts';
import { actOnAll } from '../../src/ui/actOnAll.ts';
import { HandClock, settle } from '../support/memory/ports.ts';
import { connectBoth, createWorld } from '../support/memory/world.ts';
import { createScriptedPort } from '../support/scriptedPort.ts';
import { messages } from '../support/vscodeStandIn.ts';

/** Acts on each; "bad" fails, and at "stop" somebody cancels. */
async function act(first: string, ...others: readonly string[]) {
  const done: string[] = [];
  const world = createWorld();
  const [connectionId] = await connectBoth(world);
  const toTarget = (name: string) => ({ connectionId, name });
  const result = await actOnAll(world, [toTarget(first), ...others.map(toTarget)], {
    progress: 'Working…',
    nameOf: ({ name }) => name,
    act: ({ name }) => {
      if (name === 'bad') return Promise.reject(new Error('no'));
      if (name === 'stop') return Promise.reject(new Cancelled());
      done.push(name);
      return Promise.resolve(name.toUpperCase());
    },
  });
  return { result, done };
}

describe('one action on several rows', () => {
  it('is done on those after one that failed, and gives what the first gave', async () =>
    assert.deepEqual(await act('bad', 'a', 'b'), { result: 'A', done: ['a', 'b'] }));

  it('ends when it is cancelled, and still says for which it failed', async () => {
    await assert.rejects(act('bad', 'bad', 'stop', 'b'), Cancelled);
    assert.match(messages.troubles.at(-1) ?? '', /^Failed for 2 of 4\. bad: .*no/);
  });

  it('on a single one fails with its error', async () => {
    await assert.rejects(act('bad'), /no/);
    assert.deepEqual(await act('a'), { result: 'A', done: ['a'] });
  });
});

describe('one action on more rows than the limit of requests has', () => {
  it('is done on all of them, and no click waits meanwhile', async () => {
    const clock = new HandClock();
    let sent = 0;
    const { port } = createScriptedPort(() => {
      sent += 1;
      return { body: { data: [], nextCursor: null } };
    });
    const budgets = new Budgets({ clock, random: () => 0 });
    const http = () => Promise.resolve(port);
    const shared = { http, logger: silentLogger, keyPrefix: () => 'svc_sk_', budgets, clock };
    const world = createWorld({
      clock,
      createClient: ({ baseUrl }, key, owner) => createClient({ ...shared, baseUrl, key, owner }),
    });
    const [connectionId] = await connectBoth(world);
    const { executions, workflows } = world.clients.get(connectionId);
    const done: number[] = [];
    const targets = Array.from({ length: 199 }, (_, number) => ({ connectionId, number: number + 1 }));
    const all = actOnAll(world, [{ connectionId, number: 0 }, ...targets], {
      progress: 'Working…',
      nameOf: ({ number }) => String(number),
      act: async ({ number }) => {
        await executions.list({ eventId: String(number) });
        done.push(number);
      },
    });
    while (done.length < 200) {
      await clock.advance(10_000);
      const answers: unknown[] = [];
      void workflows.list({ search: String(sent) }).then((page) => answers.push(page));
      for (let turn = 0; turn < 50 && answers.length === 0; turn += 1) await settle();
      assert.equal(answers.length, 1, `A person waits after ${sent} requests.`);
    }
    await all;
    world.clients.dispose();
  });
});
