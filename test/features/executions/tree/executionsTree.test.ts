// The Executions view as a text, whole.
import { ActiveFilter } from '../../../../src/features/executions/tree/activeFilter.ts';
import { createExecutionsTree } from '../../../../src/features/executions/tree/executionsTree.ts';
import { assertGolden } from '../../../support/golden.ts';
import { makeExecution, makeNodeLog, makeWorkflow, statusOf } from '../../../support/memory/records.ts';
import { MemoryTreeView } from '../../../support/memory/treeView.ts';
import { connectBoth, createWorld } from '../../../support/memory/world.ts';
import { renderTree } from '../../../support/renderTree.ts';

async function start() {
  const world = createWorld();
  await connectBoth(world);
  const keys = new Map<string, unknown>();
  const view = new MemoryTreeView();
  const activeFilter = new ActiveFilter(world.connections, world.executions);
  const contextKeys = (name: string, value: unknown) => void keys.set(name, value);
  const tree = createExecutionsTree(view, { ...world, contextKeys }, activeFilter);
  world.first.workflows = [makeWorkflow('w1', { name: 'Lead intake' })];
  return { world, tree, activeFilter, render: () => renderTree(tree, view, keys) };
}

describe('the Executions view as a text', () => {
  it('names the workflow of each execution', async () => {
    const { world, tree, activeFilter, render } = await start();
    world.first.executions = [
      makeExecution('exec_done1111', { status: statusOf('completed'), durationMs: 90_000 }),
      makeExecution('exec_other222', { workflowId: 'w9', status: statusOf('cancelled') }),
      makeExecution('exec_none3333', {
        workflowId: null,
        status: { ...statusOf('completed'), hasWarning: true },
      }),
    ];
    world.first.logs.set('exec_done1111', [makeNodeLog(1, { status: statusOf('completed') })]);
    assertGolden('executionsView', await render());
    tree.dispose();
    activeFilter.dispose();
  });

  it('says beside the title which filter lets nothing through', async () => {
    const { tree, activeFilter, render } = await start();
    activeFilter.set({ workflowId: 'w1', filter: { status: 'failed', period: null } });
    await render();
    assertGolden('executionsViewFiltered', await render());
    tree.dispose();
    activeFilter.dispose();
  });
});
