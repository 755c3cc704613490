// Cancelling asks only about what others started, shows at once what became of it, and names those of several that it failed for.
import assert from 'node:assert/strict';
import { silentLogger } from '../../../src/base/logger.ts';
import { isServiceError } from '../../../src/domain/errors.ts';
import { Commands } from '../../../src/editor/commands.ts';
import { registerCancel } from '../../../src/features/executions/acting/cancel.ts';
import { StartedHere } from '../../../src/features/executions/notices/startedHere.ts';
import { describeTimes } from '../../../src/words/executionWords.ts';
import { makeExecution, makeWorkflow, statusOf } from '../../support/memory/records.ts';
import { connectBoth, createWorld } from '../../support/memory/world.ts';

async function open() {
  const world = createWorld();
  const [connectionId] = await connectBoth(world);
  world.first.workflows = [makeWorkflow('w1', { isDeployed: true })];
  world.first.executions = [makeExecution('e1', { workflowId: 'w1', status: statusOf('running') })];
  const commands = new Commands({
    logger: silentLogger,
    describe: () => assert.fail('Nothing is shown to anybody.'),
    activeConnectionId: () => connectionId,
    findSubject: () => undefined,
  });
  const startedHere = new StartedHere(world.actions);
  const cancelling = registerCancel({ ...world, commands }, startedHere);
  return { ...world, commands, connectionId, close: () => [startedHere, cancelling].map((e) => e.dispose()) };
}

describe('cancelling', () => {
  it('shows "Cancelling…" until the status is an end, whatever older answer comes late', async () => {
    const { commands, connectionId, executions, first, close } = await open();
    const target = { connectionId, executionId: 'e1' };
    assert.deepEqual(await commands.run('execution.cancel', { executionId: 'e1' }), {
      executionId: 'e1',
      status: 'running',
    });
    const word = () => {
      const execution = executions.find(target);
      return execution && describeTimes(execution, 0)[0];
    };
    assert.equal(word(), 'Cancelling…');
    executions.upsert(connectionId, makeExecution('e1', { status: statusOf('running'), durationMs: 7 }));
    assert.equal(word(), 'Cancelling…');
    executions.upsert(connectionId, first.changeExecution('e1', { status: statusOf('cancelled') }));
    assert.equal(word(), 'cancelled');
    close();
  });

  it('asks a person nothing about what this window started', async () => {
    const { actions, commands, connectionId, first, close } = await open();
    await actions.execute({ connectionId, workflowId: 'w1' }, {});
    await commands.run('execution.cancel', { connectionId, executionId: 'exec_1', invokedBy: 'person' });
    assert.ok(first.calls.includes('cancel exec_1'));
    close();
  });

  it('rejects for code as the service refused it', async () => {
    const { commands, close } = await open();
    await assert.rejects(
      async () => commands.run('execution.cancel', { executionId: 'e9' }),
      (error) => isServiceError(error, 'notFound'),
    );
    close();
  });
});

describe('a retry', () => {
  it('is shown at once as one, below its workflow, and goes on from where it was asked to', async () => {
    const { actions, connectionId, executions, first, close } = await open();
    const trigger = await actions.retry({ connectionId, executionId: 'e1' }, { fromNodeId: 'n2' });
    assert.deepEqual(trigger.executionIds, ['exec_1']);
    assert.ok(first.calls.includes('retry e1 {"fromNodeId":"n2"}'));
    assert.equal(executions.find({ connectionId, executionId: 'exec_1' })?.retryOf, 'e1');
    close();
  });

  it('whose answer was lost is found by what it retries', async () => {
    const { actions, clock, connectionId, first, close } = await open();
    const before = new Date(Date.UTC(2099, 0, 1));
    first.lostRetry = makeExecution('exec_9', { workflowId: 'w1', retryOf: 'e1', createdAt: before });
    const retrying = actions.retry({ connectionId, executionId: 'e1' }, {});
    await clock.advance(10_000);
    assert.deepEqual((await retrying).executionIds, ['exec_9']);
    close();
  });
});
