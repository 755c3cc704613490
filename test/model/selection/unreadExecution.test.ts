// What an opened definition couldn't read is read a minute later, not at each occasion.
import assert from 'node:assert/strict';
import { silentLogger } from '../../../src/base/logger.ts';
import { ServiceError } from '../../../src/domain/errors.ts';
import { ShownExecutionSource } from '../../../src/model/selection/shownExecution.ts';
import { settle } from '../../support/memory/ports.ts';
import { makeExecution, makeNodeLog, makeWorkflow, statusOf } from '../../support/memory/records.ts';
import { connectBoth, createWorld, type World } from '../../support/memory/world.ts';

describe('an execution that could not be read', () => {
  let world: World;
  let connectionId: string;
  let source: ShownExecutionSource;

  const open = async (): Promise<void> => {
    source = new ShownExecutionSource(
      { ...world, logger: silentLogger },
      { connectionId, workflowId: 'w1' },
      'definition',
    );
    await settle();
    await settle();
  };
  const shownId = () =>
    source.shown.current.kind === 'execution' ? source.shown.current.execution.id : null;
  const shownRuns = () => (source.shown.current.kind === 'execution' ? source.shown.current.nodeRuns : []);
  /** The list changes so long after it. */
  const refreshAfter = async (milliseconds: number) => {
    await world.clock.advance(milliseconds);
    world.first.changeExecution('e2', { durationMs: world.clock.now() });
    await world.executions.refresh({ connectionId, workflowId: 'w1' });
    await settle();
  };

  beforeEach(async () => {
    world = createWorld();
    [connectionId] = await connectBoth(world);
    world.first.workflows = [makeWorkflow('w1', { isDeployed: true })];
    world.first.executions = ['e2', 'e1'].map((id) => makeExecution(id, { status: statusOf('completed') }));
    for (const id of ['e1', 'e2'])
      world.first.logs.set(id, [makeNodeLog(1, { status: statusOf('completed') })]);
  });
  afterEach(() => {
    source.dispose();
    world.following.dispose();
  });

  it('has its log after a minute', async () => {
    await world.executions.refresh({ connectionId, workflowId: 'w1' });
    world.first.failure = new ServiceError({ kind: 'unavailable' }, 'down');
    await open();
    world.first.failure = null;
    await refreshAfter(59_000);
    assert.deepEqual(shownRuns(), []);
    await refreshAfter(1000);
    assert.equal(shownRuns().length, 1);
  });

  it('is shown after a minute if it was selected', async () => {
    world.first.executions = world.first.executions.filter(({ id }) => id === 'e2');
    await open();
    world.first.failure = new ServiceError({ kind: 'unavailable' }, 'down');
    const target = { connectionId, workflowId: 'w1' };
    const select = async () => {
      world.selection.selectExecution(target, null);
      world.selection.selectExecution(target, 'e1');
      await settle();
      return shownId();
    };
    assert.equal(await select(), null);
    world.first.failure = null;
    world.first.executions = [...world.first.executions, makeExecution('e1')];
    await world.clock.advance(59_000);
    assert.equal(await select(), null);
    await world.clock.advance(1000);
    assert.equal(await select(), 'e1');
  });
});
