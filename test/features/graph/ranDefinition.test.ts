// An execution's graph has the nodes that it ran, whatever was saved since.
import assert from 'node:assert/strict';
import { ShownWorkflow } from '../../../src/features/graph/shownWorkflow.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import { FreshExecutions } from '../../../src/model/executions/freshExecutions.ts';
import type { ToPage } from '../../../src/webview/graph/messages.ts';
import { makeExecution, makeWorkflow } from '../../support/memory/records.ts';
import { connectBoth, createWorld, type World } from '../../support/memory/world.ts';

const named = (...ids: readonly string[]) => ({
  nodes: ids.map((id) => ({ id, name: id, type: 'trigger', config: {} })),
  edges: [],
});
const at = (minute: number) => new Date(Date.UTC(2026, 0, 5, 10, minute));

describe('the graph of an execution', () => {
  let world: World;
  let connectionId: string;
  let freshExecutions: FreshExecutions;
  let posted: ToPage[];
  let shown: ShownWorkflow;

  const show = async (executionId: string | null): Promise<void> => {
    shown = new ShownWorkflow(
      { ...world, freshExecutions, logger: silentLogger },
      { connectionId, workflowId: 'w', executionId, nodeId: null, nodeRunKey: null },
      (message) => posted.push(message),
    );
    await world.clock.advance(1000);
  };
  const drawn = () => {
    const last = posted.findLast(({ kind }) => kind !== 'run' && kind !== 'select');
    return last?.kind === 'graph' ? last.nodes.map(({ id }) => id) : last;
  };

  beforeEach(async () => {
    world = createWorld();
    [connectionId] = await connectBoth(world);
    posted = [];
    const raw = named('kept', 'renamed');
    world.first.workflows = [makeWorkflow('w', { hasDefinition: true, raw, hasUndeployedChanges: true })];
    world.first.executions = [makeExecution('e', { workflowId: 'w', createdAt: at(1) })];
    const events = { onDidReceive: () => ({ dispose: () => undefined }), setAttention: () => undefined };
    freshExecutions = new FreshExecutions({ ...world, events, logger: silentLogger });
    await world.workflows.refresh();
    await world.executions.refresh({ connectionId, workflowId: 'w' });
  });
  afterEach(() => {
    shown.dispose();
    freshExecutions.dispose();
    world.following.dispose();
  });

  it('has the nodes that it ran, once the service has told them', async () => {
    world.first.capabilities.set(new Set(['definition']));
    world.first.ran.set('e', named('kept', 'before'));
    await show(null);
    assert.deepEqual(drawn(), ['kept', 'before']);
  });

  it('has those of the definition where nobody tells what it ran', async () => {
    await show(null);
    assert.deepEqual(drawn(), ['kept', 'renamed']);
  });

  it('is there for a workflow that was deleted since', async () => {
    world.first.capabilities.set(new Set(['definition']));
    world.first.ran.set('e', named('before'));
    await show(null);
    world.first.remove('w');
    await world.workflows.refresh();
    await world.clock.advance(1000);
    assert.deepEqual(drawn(), ['before']);
  });
});
