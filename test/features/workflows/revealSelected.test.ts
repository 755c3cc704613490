// The row of the Workflows view that is selected for what was selected in the graph or in a definition.
import assert from 'node:assert/strict';
import { ObservableValue } from '../../../src/base/event.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import type { RunState } from '../../../src/domain/status.ts';
import { RowSelection } from '../../../src/editor/tree/rowSelection.ts';
import { isCommon } from '../../../src/editor/tree/treeElements.ts';
import { SelectedRow } from '../../../src/features/workflows/revealSelected.ts';
import { createWorkflowsTree, type WorkflowsElement } from '../../../src/features/workflows/workflowsTree.ts';
import type { LocalServiceState } from '../../../src/model/localService.ts';
import type { NodeSelection } from '../../../src/model/selection/selection.ts';
import { makeExecution, makeNodeLog, makeWorkflow, statusOf } from '../../support/memory/records.ts';
import { RevealingView } from '../../support/memory/revealingView.ts';
import { connectBoth, createWorld } from '../../support/memory/world.ts';

type Run = readonly [nodeId: string, iteration?: readonly number[], state?: RunState];

const runs: readonly Run[] = [
  ['start'],
  ['each'],
  ['price', [0]],
  ['price', [1], 'failed'],
  ['price', [2]],
  ['end'],
];

const logsOf = (all: readonly Run[]) =>
  all.map(([nodeId, iteration = [], state = 'completed'], at) =>
    makeNodeLog(at + 1, {
      nodeId,
      nodeName: nodeId,
      nodeType: nodeId === 'each' ? 'forEach' : 'log',
      iteration,
      status: statusOf(state),
    }),
  );

async function start() {
  const world = createWorld();
  const [connectionId] = await connectBoth(world);
  world.first.workflows = [makeWorkflow('w1')];
  world.first.executions = ['new', 'old'].map((id) => makeExecution(id, { status: statusOf('completed') }));
  for (const id of ['new', 'old']) world.first.logs.set(id, logsOf(runs));
  await world.workflows.refresh();
  const view = new RevealingView();
  const selection = new RowSelection(view);
  const chosen: string[] = [];
  selection.onDidChoose((rows) => void chosen.push(...rows.map(({ key }) => key)));
  const localService = { state: new ObservableValue<LocalServiceState>({ kind: 'stopped' }) };
  const tree = createWorkflowsTree(view, { ...world, localService, contextKeys: () => undefined });
  const lead = { isLed: false };
  const deps = { ...world, logger: silentLogger, rowSelection: selection, tree, isLed: () => lead.isLed };
  const revealing = new SelectedRow(deps);
  const labelOf = (row: WorkflowsElement): string => {
    const { label } = tree.getTreeItem(row);
    return typeof label === 'string' ? label : '';
  };
  /** Unfolds the row that a path of labels leads to, as the editor does: by asking for what is below it. */
  const unfold = async (...path: readonly string[]): Promise<WorkflowsElement> => {
    let found: WorkflowsElement | undefined;
    for (const label of ['Workflow w1', ...path]) {
      const rows = await tree.getChildren(found);
      found = rows.find((row): row is WorkflowsElement => !isCommon(row) && labelOf(row) === label);
      assert.ok(found, label);
    }
    assert.ok(found);
    for (const row of await tree.getChildren(found)) tree.getTreeItem(row);
    return found;
  };
  const select = async (change: Partial<NodeSelection>, milliseconds = 20_000): Promise<void> => {
    world.selection.selectNode({
      target: { connectionId, workflowId: 'w1' },
      executionId: null,
      nodeId: null,
      nodeRunKey: null,
      by: 'graph',
      ...change,
    });
    await world.clock.advance(milliseconds);
  };
  /** The labels of the selected row and of those above it: "new › each › [2] › price". */
  const selected = (): string => {
    const labels: string[] = [];
    for (let [row] = tree.inSight.filter((each) => selection.has(each)); row; row = tree.getParent(row))
      if (!isCommon(row)) labels.unshift(labelOf(row));
    return labels.slice(1).join(' › ');
  };
  const keyOf = (nodeId: string, turn: number): string => {
    const { nodeRuns } = world.executions.logs({ connectionId, executionId: 'new' });
    const found = nodeRuns.find((run) => run.nodeId === nodeId && run.iteration[0] === turn);
    assert.ok(found);
    return found.key;
  };
  const end = (): void => {
    revealing.dispose();
    selection.dispose();
    tree.dispose();
    world.following.dispose();
  };
  return { world, connectionId, view, tree, lead, chosen, unfold, select, selected, keyOf, end };
}

describe('the row of what was selected elsewhere', () => {
  it('is the node run of the latest execution, or of the one that was selected', async () => {
    const { unfold, select, selected, chosen, end } = await start();
    await unfold('new');
    await unfold('old');
    await select({ nodeId: 'start' });
    assert.equal(selected(), 'new › start');
    await select({ nodeId: 'end', executionId: 'old', by: 'definition' });
    assert.equal(selected(), 'old › end');
    assert.deepEqual(chosen, [], 'and is no choice of the user');
    end();
  });

  it('is of the execution that was chosen for the definition', async () => {
    const { world, connectionId, unfold, select, selected, end } = await start();
    await unfold('new');
    await unfold('old');
    world.selection.selectExecution({ connectionId, workflowId: 'w1' }, 'old');
    await select({ nodeId: 'start' });
    assert.equal(selected(), 'old › start');
    end();
  });

  it('is none where the tree itself, or a command, selected something', async () => {
    const { view, unfold, select, end } = await start();
    await unfold('new');
    await select({ nodeId: 'start', by: 'tree' });
    await select({ nodeId: 'end', by: 'command' });
    await select({ nodeId: null });
    await select({ nodeId: 'other' });
    assert.deepEqual(view.revealed, []);
    end();
  });

  it('is none while the execution or the workflow is folded, which stay so', async () => {
    const { view, unfold, select, end } = await start();
    const workflow = await unfold();
    await select({ nodeId: 'start' });
    const execution = await unfold('new');
    view.fold(execution);
    await select({ nodeId: 'end' });
    view.unfold(execution);
    view.fold(workflow);
    await select({ nodeId: 'start' });
    assert.deepEqual(view.revealed, []);
    end();
  });

  it('is found if it comes a moment later, unless the user selects another one meanwhile', async () => {
    const { world, view, unfold, select, selected, end } = await start();
    await unfold();
    await select({ nodeId: 'start' }, 500);
    await unfold('new');
    await world.clock.advance(20_000);
    assert.equal(selected(), 'new › start');
    const { length } = view.revealed;
    await select({ nodeId: 'end', executionId: 'old' }, 500);
    await select({ nodeId: null, by: 'tree' }, 500);
    await unfold('old');
    await world.clock.advance(20_000);
    assert.equal(view.revealed.length, length);
    end();
  });

  it('is not shown while the view is hidden', async () => {
    const { view, unfold, select, end } = await start();
    await unfold('new');
    view.setVisible(false);
    await select({ nodeId: 'start' });
    assert.deepEqual(view.revealed, []);
    end();
  });

  it("is the selected run's, or that of the turn that is shown", async () => {
    const { world, connectionId, unfold, select, selected, keyOf, end } = await start();
    for (const turn of ['[1]', '[2]', '[3]']) await unfold('new', 'each', turn);
    await select({ nodeId: 'price' });
    assert.equal(selected(), 'new › each › [2] › price', 'the first that failed');
    await select({ nodeId: 'price', nodeRunKey: keyOf('price', 2) });
    assert.equal(selected(), 'new › each › [3] › price');
    world.selection.selectIteration({ connectionId, executionId: 'new' }, '["iterations","each"]', 0);
    await select({ nodeId: 'price' });
    assert.equal(selected(), 'new › each › [1] › price');
    end();
  });

  it("is the first of the node where the shown turn is folded, and a selected run's turn where that is", async () => {
    const { unfold, select, selected, keyOf, end } = await start();
    await unfold('new', 'each', '[3]');
    await select({ nodeId: 'price' });
    assert.equal(selected(), 'new › each › [3] › price');
    await select({ nodeId: 'price', nodeRunKey: keyOf('price', 0) });
    assert.equal(selected(), 'new › each › [1]');
    end();
  });

  it('is that of the loop where the loop is folded', async () => {
    const { unfold, select, selected, keyOf, chosen, end } = await start();
    await unfold('new');
    await select({ nodeId: 'price' });
    assert.equal(selected(), 'new › each');
    await select({ nodeId: 'end' });
    await select({ nodeId: 'price', nodeRunKey: keyOf('price', 1) });
    assert.equal(selected(), 'new › each');
    assert.deepEqual(chosen, [], 'and the loop is no choice of the user');
    end();
  });

  it('waits until the view goes along with no execution any more', async () => {
    const { world, connectionId, view, lead, unfold, select, selected, end } = await start();
    await unfold('new');
    lead.isLed = true;
    await select({ nodeId: 'start' });
    assert.deepEqual(view.revealed, []);
    world.following.follow({ connectionId, executionId: 'old' });
    await world.clock.advance(1_000);
    lead.isLed = false;
    world.first.channels[0]?.send({ kind: 'end', status: statusOf('completed') });
    await world.clock.advance(20_000);
    assert.equal(selected(), 'new › start');
    end();
  });
});
