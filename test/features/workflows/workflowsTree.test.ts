// The Workflows view as a text, whole: what each row shows, by each state that it can be in.
import assert from 'node:assert/strict';
import { ObservableValue } from '../../../src/base/event.ts';
import { ServiceError } from '../../../src/domain/errors.ts';
import { createWorkflowsTree } from '../../../src/features/workflows/workflowsTree.ts';
import type { LocalServiceState } from '../../../src/model/localService.ts';
import { assertGolden } from '../../support/golden.ts';
import { makeExecution, makeNodeLog, makeWorkflow, statusOf } from '../../support/memory/records.ts';
import { MemoryTreeView } from '../../support/memory/treeView.ts';
import { connectBoth, createWorld } from '../../support/memory/world.ts';
import { renderTree } from '../../support/renderTree.ts';

const minutesAgo = (minutes: number): Date => new Date(Date.UTC(2026, 0, 5, 10) - minutes * 60_000);

async function start() {
  const world = createWorld();
  await connectBoth(world);
  const keys = new Map<string, unknown>();
  const view = new MemoryTreeView();
  const localService = { state: new ObservableValue<LocalServiceState>({ kind: 'stopped' }) };
  const contextKeys = (name: string, value: unknown) => void keys.set(name, value);
  const tree = createWorkflowsTree(view, { ...world, localService, contextKeys });
  return { world, tree, render: () => renderTree(tree, view, keys) };
}

describe('the Workflows view as a text', () => {
  it('has workflows, executions and node runs', async () => {
    const { world, tree, render } = await start();
    world.first.workflows = [
      makeWorkflow('w1', { name: 'Lead intake', isDeployed: true, updatedAt: minutesAgo(5) }),
      makeWorkflow('w2', { name: 'Edited', isDeployed: true, hasUndeployedChanges: true }),
      makeWorkflow('w3', { name: 'Idle\u202e draft', updatedAt: minutesAgo(3 * 24 * 60) }),
      makeWorkflow('w4', { name: 'Unknown', isDeployed: null, updatedAt: null }),
    ];
    world.first.executions = [
      makeExecution('exec_running1', { status: statusOf('running'), startedAt: minutesAgo(1) }),
      makeExecution('exec_failed22', {
        status: statusOf('failed'),
        startedAt: minutesAgo(90),
        durationMs: 1_200,
        error: { code: null, message: 'No mail', nodeId: 'n2' },
      }),
      makeExecution('exec_waiting3', { status: statusOf('waiting') }),
      makeExecution('exec_odd44444', {
        workflowId: 'w2',
        status: { ...statusOf('unknown'), word: 'frobbing' },
        createdAt: null,
      }),
      makeExecution('exec_queued55', { workflowId: 'w2' }),
    ];
    world.first.logs.set('exec_failed22', [
      makeNodeLog(1, { status: statusOf('completed'), durationMs: 40 }),
      makeNodeLog(2, {
        nodeId: 'n2',
        nodeName: 'Send mail',
        iteration: [1],
        attempt: 2,
        status: statusOf('failed'),
        error: { code: null, message: 'No mail', nodeId: 'n2' },
      }),
    ]);
    assertGolden('workflowsView', await render());
    tree.dispose();
  });

  it('says what could not be read below the row that it belongs to', async () => {
    const { world, tree, render } = await start();
    world.first.workflows = [makeWorkflow('w1', { name: 'Lead intake' })];
    await world.workflows.refresh();
    world.first.failure = new ServiceError({ kind: 'unavailable' }, 'down', { status: 503 });
    assertGolden('workflowsViewUnavailable', await render());
    tree.dispose();
  });

  it('shows nothing but a welcome view while the key is rejected', async () => {
    const { world, tree, render } = await start();
    world.first.keys.clear();
    assertGolden('workflowsViewRejected', await render());
    tree.dispose();
  });

  it('tells the latest execution of each workflow, and redraws only the rows that tell something else then', async () => {
    const { world, tree } = await start();
    world.first.workflows = [
      makeWorkflow('w1', { name: 'Lead intake', isDeployed: true }),
      makeWorkflow('w2', { name: 'Billing', isDeployed: true }),
    ];
    world.first.executions = [
      makeExecution('e2', { workflowId: 'w2', status: statusOf('running'), createdAt: minutesAgo(2) }),
      makeExecution('e1', { status: statusOf('failed'), createdAt: minutesAgo(3) }),
    ];
    const { connectionId } = world.workflows.state.current;
    assert.ok(connectionId !== null);
    const everything = { connectionId, workflowId: null };
    const drawn = new Map<string, unknown>();
    const draw = (row: Parameters<typeof tree.getTreeItem>[0]) => {
      const { label, description } = tree.getTreeItem(row);
      if (typeof label === 'string') drawn.set(label, description);
    };
    for (const row of await tree.getChildren()) draw(row);
    assert.deepEqual(Object.fromEntries(drawn), { 'Lead intake': '', Billing: '' });
    tree.onDidChangeTreeData((rows = []) => {
      drawn.clear();
      for (const row of rows) draw(row);
    });
    await world.clock.advance(1000);
    await world.executions.refresh(everything);
    assert.deepEqual(Object.fromEntries(drawn), {
      'Lead intake': 'deployed · failed 3 min ago',
      Billing: 'running 2 min',
    });
    await world.clock.advance(1000);
    world.first.changeExecution('e2', { status: statusOf('completed') });
    await world.executions.refresh(everything);
    assert.deepEqual(Object.fromEntries(drawn), { Billing: 'completed 2 min ago' });
    assert.equal(world.first.calls.filter((call) => call === 'executions.list').length, 2);
    tree.dispose();
  });
});
