import assert from 'node:assert/strict';
import { ObservableValue } from '../../../../src/base/event.ts';
import { ShownSearch } from '../../../../src/features/executions/search/shownSearch.ts';
import type { SearchCount } from '../../../../src/model/search/searchCounts.ts';
import {
  ActiveFilter,
  noViewFilter,
  type ViewFilter,
} from '../../../../src/features/executions/tree/viewFilter.ts';
import {
  createExecutionsTree,
  executionsFrame,
  welcomeOf,
  executionsWelcome,
} from '../../../../src/features/executions/tree/executionsTree.ts';
import { assertGolden } from '../../../support/golden.ts';
import { settle } from '../../../support/memory/ports.ts';
import { makeExecution, makeNodeLog, makeWorkflow, statusOf } from '../../../support/memory/records.ts';
import { MemoryTreeView } from '../../../support/memory/treeView.ts';
import { connectBoth, createWorld, type World } from '../../../support/memory/world.ts';
import { renderTree } from '../../../support/renderTree.ts';
import { ServiceError } from '../../../../src/domain/errors.ts';

const searchOf = (world: World) => ({
  shown: new ShownSearch(world),
  counts: new ObservableValue<ReadonlyMap<string, SearchCount>>(new Map()),
});

describe('the frame of the Executions view', () => {
  it('stands above the rows, and beside the title where a welcome view is', () => {
    const failed: ViewFilter = { workflowId: null, filter: { states: ['failed'], period: null } };
    const lines = (filter: ViewFilter, welcome: Parameters<typeof executionsFrame>[1]) => {
      const { message, description } = executionsFrame(filter, welcome, '');
      return { message, description };
    };
    assert.deepEqual(lines(noViewFilter, 'ready'), { message: '', description: '' });
    assert.deepEqual(lines(failed, 'filtered'), { message: '', description: 'failed' });
    assert.deepEqual(lines(failed, 'byWorkflow'), { message: '', description: 'failed' });
    assert.equal(lines(failed, 'ready').message, 'Showing failed only');
  });

  it('has a welcome view of its own for each empty state', () => {
    const list = { status: 'loaded', hasData: true, items: [], nextCursor: null, error: null } as const;
    const failed = { ...noViewFilter, filter: { states: ['failed'], period: null } } as const;
    const welcome = (narrowing: ViewFilter, change: object, canList = true): string =>
      executionsWelcome(narrowing, { ...list, ...change }, canList);
    assert.equal(welcome(noViewFilter, {}), 'empty');
    assert.equal(welcome(failed, {}), 'filtered');
    assert.equal(welcome(failed, { nextCursor: 'c' }), 'ready', 'the next page may have some');
    assert.equal(welcome(failed, { hasData: false }), 'loading');
    assert.equal(
      welcome(noViewFilter, { error: new ServiceError({ kind: 'unavailable' }, 'down') }),
      'failed',
    );
    assert.equal(welcome(failed, { items: [makeExecution('e')] }), 'ready');
    const error = new ServiceError({ kind: 'notOffered' }, 'no such endpoint');
    assert.equal(welcome(failed, { error }), 'byWorkflow');
    assert.equal(welcome({ ...failed, workflowId: 'w' }, { error }), 'failed');
    assert.equal(welcome(noViewFilter, { error }, false), 'failed');
  });
});

describe('the rows of the Executions view', () => {
  function createTree(world: World) {
    const activeFilter = new ActiveFilter(world.connections, world.executions);
    const deps = { ...world, contextKeys: () => undefined };
    return {
      activeFilter,
      tree: createExecutionsTree(new MemoryTreeView(), deps, activeFilter, searchOf(world)),
    };
  }

  it('are at most a thousand, and then say how to narrow', async () => {
    const world = createWorld();
    await connectBoth(world);
    world.first.executions = Array.from({ length: 1500 }, (_, at) => makeExecution(`e${at}`));
    const { tree, activeFilter } = createTree(world);
    const shown = activeFilter.scope.current ?? assert.fail();
    const first = await tree.getChildren();
    assert.deepEqual([first.length, first.at(-1)?.kind], [101, 'more']);
    for (let pages = 1; pages < 10; pages += 1) await world.executions.loadMore(shown);
    const rows = await tree.getChildren();
    assert.deepEqual([rows.length, rows.at(-1)?.kind], [1001, 'note']);
    assert.equal(rows[0], first[0]);
    tree.dispose();
  });

  it('name their workflow, read for that where no list held it, and say that it was deleted', async () => {
    const world = createWorld();
    await connectBoth(world);
    world.first.workflows = Array.from({ length: 60 }, (_, at) => makeWorkflow(`w${at}`));
    world.first.executions = ['w1', 'w59', 'gone-abcdef', null].map((workflowId, at) =>
      makeExecution(`e${at}`, { workflowId }),
    );
    const { tree } = createTree(world);
    const labels = async () => (await tree.getChildren()).map((row) => tree.getTreeItem(row).label);
    assert.deepEqual(await labels(), ['Workflow w1', 'w59', 'gone-abcdef', 'e3']);
    await settle();
    assert.deepEqual(await labels(), ['Workflow w1', 'Workflow w59', 'Deleted workflow abcdef', 'e3']);
    assert.equal(world.first.calls.filter((call) => call.startsWith('workflows.getOne')).length, 2);
    tree.dispose();
  });

  it('are none where the service lists them by workflow only: the welcome view asks for one', async () => {
    const world = createWorld();
    await connectBoth(world);
    world.first.failure = new ServiceError({ kind: 'notOffered' }, 'no such endpoint', { status: 404 });
    const { tree, activeFilter } = createTree(world);
    assert.deepEqual([await tree.getChildren(), welcomeOf(world, activeFilter)], [[], 'byWorkflow']);
    world.first.failure = null;
    world.first.executions = [makeExecution('e1')];
    activeFilter.set({ ...noViewFilter, workflowId: 'w1' });
    const labels = (await tree.getChildren()).map((row) => tree.getTreeItem(row).label);
    assert.deepEqual([labels, welcomeOf(world, activeFilter)], [['Clear Filter', 'w1'], 'ready']);
    tree.dispose();
  });

  it('say why they could not be read', async () => {
    const world = createWorld();
    await connectBoth(world);
    world.first.failure = new ServiceError({ kind: 'unavailable' }, 'down', { status: 503 });
    const { tree } = createTree(world);
    const [row] = await tree.getChildren();
    assert.ok(row?.kind === 'note' && row.isProblem && row.text.includes('503'));
    tree.dispose();
  });
});

async function start() {
  const world = createWorld();
  await connectBoth(world);
  const keys = new Map<string, unknown>();
  const view = new MemoryTreeView();
  const activeFilter = new ActiveFilter(world.connections, world.executions);
  const contextKeys = (name: string, value: unknown) => void keys.set(name, value);
  const tree = createExecutionsTree(view, { ...world, contextKeys }, activeFilter, searchOf(world));
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
    activeFilter.set({ workflowId: 'w1', filter: { states: ['failed'], period: null } });
    await render();
    assertGolden('executionsViewFiltered', await render());
    tree.dispose();
    activeFilter.dispose();
  });
});
