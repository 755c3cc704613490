// What a selected row, or the document in front, says of the node that the user looks at.
import assert from 'node:assert/strict';
import { followSelections, selectionOf } from '../../../src/features/graph/followSelections.ts';
import { RowSelection } from '../../../src/editor/tree/rowSelection.ts';
import { makeExecution, makeNodeLog, statusOf } from '../../support/memory/records.ts';
import { RevealingView } from '../../support/memory/revealingView.ts';
import { connectBoth, createWorld, type World } from '../../support/memory/world.ts';
import { executionElement } from '../../../src/ui/rows/executionElements.ts';

describe('a selected row', () => {
  let world: World;
  let connectionId: string;
  let key: string;

  before(async () => {
    world = createWorld();
    [connectionId] = await connectBoth(world);
    for (const id of ['old', 'new'])
      world.executions.upsert(
        connectionId,
        makeExecution(id, { workflowId: 'w', status: statusOf('completed') }),
      );
    const feed = world.executions.logs({ connectionId, executionId: 'old' });
    feed.append([makeNodeLog(1, { nodeId: 'a', status: statusOf('completed') })]);
    key = feed.nodeRuns[0]?.key ?? '';
  });
  after(() => world.following.dispose());

  const select = (members: { readonly kind: string } & Readonly<Record<string, string | null>>) => {
    const row = { invokedBy: 'person', key: 'row', connectionId, ...members } as const;
    return selectionOf(world, row);
  };

  it('of a workflow is about the execution that it shows', () =>
    assert.deepEqual(select({ kind: 'workflow', workflowId: 'w' }), {
      target: { connectionId, workflowId: 'w' },
      executionId: null,
      nodeId: null,
      nodeRunKey: null,
    }));

  it('of an execution is about that one, whose workflow is known', () =>
    assert.deepEqual(select({ kind: 'execution', workflowId: null, executionId: 'old' }), {
      target: { connectionId, workflowId: 'w' },
      executionId: 'old',
      nodeId: null,
      nodeRunKey: null,
    }));

  it('of a node run is about its node too', () => {
    const selection = select({ kind: 'nodeRun', executionId: 'old', nodeRunKey: key });
    assert.equal(selection?.nodeId, 'a');
    assert.equal(selection.nodeRunKey, key);
  });

  it('of nothing that is known is about nothing', () => {
    assert.equal(select({ kind: 'execution', workflowId: null, executionId: 'other' }), undefined);
    assert.equal(selectionOf(world, { invokedBy: 'person', key: 'row', kind: 'more' }), undefined);
  });
});

describe('the rows of the trees', () => {
  async function start() {
    const world = createWorld();
    const [connectionId] = await connectBoth(world);
    const executions = ['new', 'old'].map((id) => makeExecution(id, { workflowId: 'w' }));
    for (const each of executions) world.executions.upsert(connectionId, each);
    const view = new RevealingView();
    const [workflows, others] = [new RowSelection(view), new RowSelection(new RevealingView())];
    const views = { workflows: { selection: workflows }, executions: { selection: others } };
    const following = followSelections({ ...world, views });
    const end = (): void => {
      following.dispose();
      world.following.dispose();
    };
    const rows = ['new', 'old'].map((id) => executionElement(connectionId, 'w', id));
    const [first, second] = rows;
    assert.ok(first && second);
    return { world, connectionId, view, selection: workflows, first, second, end };
  }

  it('are selected everywhere when the user selects one', async () => {
    const { world, view, second, end } = await start();
    view.select(second);
    assert.equal(world.selection.node.current?.executionId, 'old');
    assert.equal(world.selection.node.current.by, 'tree');
    end();
  });

  it('change nothing when one is selected in answer to the graph, or is drawn anew', async () => {
    const { world, connectionId, view, selection, first, second, end } = await start();
    view.select(second);
    const target = { connectionId, workflowId: 'w' };
    const graph = { target, executionId: 'new', nodeId: 'a', nodeRunKey: null, by: 'graph' } as const;
    world.selection.selectNode(graph);
    view.redraw();
    assert.equal(world.selection.node.current, graph);
    await selection.reveal(first, { select: true });
    view.redraw();
    assert.equal(world.selection.node.current, graph);
    end();
  });
});
