// Why: a notice is for what this window started, once, and several ends at about the same time are one message.
import assert from 'node:assert/strict';
import { createBatches } from '../../../src/features/notices/batches.ts';
import { createStartedHere } from '../../../src/features/notices/startedHere.ts';
import { HandClock } from '../../support/memory/ports.ts';
import { executionReading, workflowReading } from '../../support/memory/readings.ts';
import { connectBoth, createWorld } from '../../support/memory/world.ts';

describe('executions started here', () => {
  async function start(namesExecutions: boolean) {
    const world = createWorld();
    const [connectionId, otherId] = await connectBoth(world);
    world.first.workflows = [workflowReading('w1', { isDeployed: true })];
    world.first.namesExecutions = namesExecutions;
    const started = createStartedHere(world.actions.onDidExecute);
    await world.actions.execute({ connectionId, workflowId: 'w1' }, {});
    return { started, target: { connectionId, executionId: 'exec_1' }, otherId };
  }
  const record = executionReading('exec_1', { eventIds: ['evt_1'] });

  for (const namesExecutions of [true, false])
    it(`are known once, ${namesExecutions ? 'by their id' : 'by their event where the answer names no execution'}`, async () => {
      const { started, target } = await start(namesExecutions);
      assert.equal(started.take(target, record), true);
      assert.equal(started.take(target, record), false);
      started.dispose();
    });

  it("are not another connection's, nor those that somebody else started", async () => {
    const { started, target, otherId } = await start(true);
    assert.equal(started.take({ ...target, connectionId: otherId }, record), false);
    assert.equal(started.take({ ...target, executionId: 'exec_2' }, executionReading('exec_2')), false);
    started.dispose();
  });
});

describe('a batch', () => {
  it('holds what comes within a short time of the first', async () => {
    const clock = new HandClock();
    const handed: (readonly string[])[] = [];
    const batches = createBatches<string>(clock, (items) => handed.push(items));
    batches.add('a');
    await clock.advance(1400);
    batches.add('b');
    assert.deepEqual(handed, []);
    await clock.advance(100);
    assert.deepEqual(handed, [['a', 'b']]);
    batches.add('c');
    await clock.advance(1500);
    assert.deepEqual(handed, [['a', 'b'], ['c']]);
  });

  it('leaves no timer behind', async () => {
    const clock = new HandClock();
    const batches = createBatches<string>(clock, () => assert.fail('Nobody is there any more.'));
    batches.add('a');
    batches.dispose();
    assert.equal(clock.armed, 0);
    await clock.advance(2000);
  });
});
