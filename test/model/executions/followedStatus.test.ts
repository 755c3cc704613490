// The rows of a followed execution tell whether it waits; its record isn't read again for that.
import assert from 'node:assert/strict';
import type { RunState } from '../../../src/domain/status.ts';
import type { ExecutionTarget } from '../../../src/domain/targets.ts';
import { settle } from '../../support/memory/ports.ts';
import { makeExecution, makeNodeLog, statusOf } from '../../support/memory/records.ts';
import { connectBoth, createWorld, type World } from '../../support/memory/world.ts';

describe('the status of a followed execution', () => {
  let world: World;
  let target: ExecutionTarget;

  beforeEach(async () => {
    world = createWorld();
    const [connectionId] = await connectBoth(world);
    target = { connectionId, executionId: 'e1' };
    world.first.executions = [makeExecution('e1')];
    await world.executions.read(target);
    world.following.follow(target);
  });
  afterEach(() => world.following.dispose());

  /** Sends rows of these states together; returns the execution's. */
  async function stateAfter(...states: readonly (RunState | null)[]): Promise<RunState | undefined> {
    const logs = states.map((each, at) => makeNodeLog(at + 1, { status: each && statusOf(each) }));
    const channel = world.first.channels[0] ?? assert.fail('There is no follow.');
    channel.send({ kind: 'logs', logs });
    await settle();
    return world.executions.find(target)?.status.state;
  }

  it('is waiting while a node waits, and running when it goes on', async () => {
    assert.equal(await stateAfter('running', 'waiting'), 'waiting');
    assert.equal(await stateAfter(null), 'waiting', 'a row without a status');
    assert.equal(await stateAfter('completed', 'running'), 'running');
    assert.equal(await stateAfter('waiting', 'completed'), 'running', 'a wait that is over');
  });

  it('stays waiting where only the record tells of it', async () => {
    world.first.changeExecution('e1', { status: statusOf('waiting') });
    await world.executions.read(target);
    assert.equal(await stateAfter('running'), 'waiting');
  });

  it('stays ended', async () => {
    world.first.changeExecution('e1', { status: statusOf('completed') });
    await world.executions.read(target);
    assert.equal(await stateAfter('waiting'), 'completed');
    assert.equal(await stateAfter('running'), 'completed');
  });
});
