// Which execution a launch configuration means, read of a service.
import assert from 'node:assert/strict';
import { decodeLaunch, findLaunchTarget } from '../../../src/features/debugging/launchTarget.ts';
import type { RunState } from '../../../src/domain/status.ts';
import { makeExecution, makeWorkflow, statusOf } from '../../support/memory/records.ts';
import { connectBoth, createWorld } from '../../support/memory/world.ts';

const { signal } = new AbortController();
const ran = (id: string, state: RunState, change: object = {}) =>
  makeExecution(id, { workflowId: 'w1', status: statusOf(state), ...change });

async function find(configuration: object): Promise<string> {
  const world = createWorld();
  const [connectionId] = await connectBoth(world);
  world.first.workflows = [
    makeWorkflow('w1', { name: 'Orders' }),
    makeWorkflow('w2', { name: 'Signup' }),
    makeWorkflow('w3', { name: 'Signup' }),
    makeWorkflow('w4', { name: 'w1' }),
  ];
  world.first.executions = [
    ran('e4', 'failed', { kind: 'draft' }),
    ran('e3', 'completed'),
    ran('e2', 'failed'),
    ran('e1', 'failed'),
  ];
  const launch = decodeLaunch({ type: 'workflow', request: 'launch', name: 'Debug', ...configuration });
  const target = await findLaunchTarget(world, launch, signal);
  assert.equal(target.connectionId, connectionId);
  return target.executionId;
}

describe('a launch configuration', () => {
  it('names an execution', async () => assert.equal(await find({ executionId: 'any' }), 'any'));

  it('means the latest execution of a workflow, by its id or name, and no draft', async () => {
    assert.equal(await find({ workflow: 'Orders' }), 'e3');
    assert.equal(await find({ workflow: 'w1', execution: 'latest' }), 'e3');
    assert.equal(await find({ workflow: 'w1', execution: 'latestFailed' }), 'e2');
  });

  it('says what it names that is not there', async () => {
    await assert.rejects(find({ workflow: 'Nothing' }), /No workflow has the name or ID "Nothing"/);
    await assert.rejects(find({ workflow: 'Signup' }), /Several workflows are named "Signup"/);
    await assert.rejects(find({ workflow: 'w2' }), /"Signup" has no executions yet/);
    await assert.rejects(find({ workflow: 'w2', execution: 'latestFailed' }), /"Signup" has failed yet/);
  });

  it('says which of its values are invalid', async () => {
    await assert.rejects(find({ executionId: 5, stopAt: 'end' }), /invalid values: executionId, stopAt\./);
  });
});
