// Drafts don't count as the latest execution that a definition shows.
import assert from 'node:assert/strict';
import { silentLogger } from '../../../src/base/logger.ts';
import { ShownExecutionSource } from '../../../src/model/selection/shownExecution.ts';
import { settle } from '../../support/memory/ports.ts';
import { makeExecution, makeWorkflow } from '../../support/memory/records.ts';
import { connectBoth, createWorld, type World } from '../../support/memory/world.ts';

describe('the execution that a definition shows beside drafts', () => {
  let world: World;
  let connectionId: string;
  let source: ShownExecutionSource | undefined;

  beforeEach(async () => {
    world = createWorld();
    [connectionId] = await connectBoth(world);
    world.first.workflows = [makeWorkflow('w1', { isDeployed: true })];
  });
  afterEach(() => {
    source?.dispose();
    world.following.dispose();
  });

  const open = async (): Promise<void> => {
    const target = { connectionId, workflowId: 'w1' };
    source = new ShownExecutionSource({ ...world, logger: silentLogger }, target, 'definition');
    await settle();
    await settle();
  };
  const shownId = () =>
    source?.shown.current.kind === 'execution' ? source.shown.current.execution.id : null;

  it('is the latest of what is deployed, asked for once, also where drafts fill the first page', async () => {
    const drafts = Array.from({ length: 12 }, (_, at) =>
      makeExecution(`draft_${at}`, { kind: 'draft', workflowId: 'w1' }),
    );
    world.first.executions = [...drafts, makeExecution('e1', { workflowId: 'w1' })];
    world.first.capabilities.set(new Set(['draft']));
    const target = { connectionId, workflowId: 'w1' };
    await open();
    assert.equal(shownId(), 'e1');
    assert.equal(world.executions.latest(target)?.id, 'e1');
    assert.equal(world.executions.list(target).items.length, 10);
    const listed = () => world.first.calls.filter((call) => call === 'executions.list').length;
    assert.equal(listed(), 2);
    await world.executions.refresh(target);
    assert.equal(listed(), 3);
  });

  it('is no draft where there are others, unless it was selected', async () => {
    const ids = ['draft_2', 'e1', 'draft_1'] as const;
    const kindOf = (id: string) => (id.startsWith('draft') ? 'draft' : 'deployed');
    world.first.executions = ids.map((id) => makeExecution(id, { kind: kindOf(id) }));
    await open();
    assert.equal(shownId(), 'e1');
    assert.equal(world.executions.latest({ connectionId, workflowId: 'w1' })?.id, 'e1');
    world.selection.selectExecution({ connectionId, workflowId: 'w1' }, 'draft_2');
    assert.equal(shownId(), 'draft_2');
  });
});
