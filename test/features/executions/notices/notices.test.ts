// A notice is for what this window started, once, and several ends at about the same time are one message.
import assert from 'node:assert/strict';
import { Batches } from '../../../../src/features/executions/notices/register.ts';
import { StartedHere } from '../../../../src/features/executions/notices/startedHere.ts';
import { HandClock } from '../../../support/memory/ports.ts';
import { makeExecution, makeWorkflow } from '../../../support/memory/records.ts';
import type { MemoryService } from '../../../support/memory/service.ts';
import { connectBoth, createWorld } from '../../../support/memory/world.ts';

describe('executions started here', () => {
  async function start(change: Partial<MemoryService>) {
    const world = createWorld();
    const [connectionId, otherId] = await connectBoth(world);
    world.first.workflows = [makeWorkflow('w1', { isDeployed: true })];
    Object.assign(world.first, change);
    const started = new StartedHere(world.actions);
    const workflow = { connectionId, workflowId: 'w1' };
    const trigger = await world.actions.execute(workflow, {});
    const find = () => world.actions.findExecution(workflow, trigger);
    return { started, find, target: { connectionId, executionId: 'exec_1' }, otherId };
  }
  const record = makeExecution('exec_1', { eventIds: ['evt_1'] });

  for (const namesExecutions of [true, false])
    it(`are known once, ${namesExecutions ? 'by their id' : 'by their event where the answer names no execution'}`, async () => {
      const { started, target } = await start({ namesExecutions });
      assert.equal(started.take(target, record), 'certain');
      assert.equal(started.take(target, record), undefined);
      started.dispose();
    });

  it('are known for certain when they were found by their event, once', async () => {
    const { started, find, target } = await start({ namesExecutions: false });
    assert.equal((await find()).kind, 'matched');
    assert.equal(started.take(target, record), 'certain');
    assert.equal(started.take(target, record), undefined);
    started.dispose();
  });

  it('are probable where the service links no event to an execution', async () => {
    const { started, find, target } = await start({ namesExecutions: false, linksEvents: false });
    const unlinked = makeExecution('exec_1');
    assert.equal(started.take(target, unlinked), undefined);
    assert.deepEqual(await find(), { kind: 'probable', executionId: 'exec_1' });
    assert.equal(started.take(target, unlinked), 'probable');
    assert.equal(started.take(target, unlinked), undefined);
    started.dispose();
  });

  it("are not another connection's, nor those that somebody else started", async () => {
    const { started, target, otherId } = await start({});
    assert.equal(started.take({ ...target, connectionId: otherId }, record), undefined);
    assert.equal(started.take({ ...target, executionId: 'exec_2' }, makeExecution('exec_2')), undefined);
    started.dispose();
  });
});

describe('a batch', () => {
  it('holds what comes within a short time of the first', async () => {
    const clock = new HandClock();
    const handed: (readonly string[])[] = [];
    const batches = new Batches<string>(clock, (items) => handed.push(items));
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
    const batches = new Batches<string>(clock, () => assert.fail('Nobody is there any more.'));
    batches.add('a');
    batches.dispose();
    assert.equal(clock.armed, 0);
    await clock.advance(2000);
  });
});
