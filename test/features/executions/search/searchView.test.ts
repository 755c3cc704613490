// A search in the Executions view: rows with their places, what is said of its progress, and how it ends.
import assert from 'node:assert/strict';
import { ObservableValue } from '../../../../src/base/event.ts';
import { SearchError, ServiceError } from '../../../../src/domain/errors.ts';
import { describeSearch } from '../../../../src/features/executions/search/describeSearch.ts';
import { listSearch } from '../../../../src/features/executions/search/foundRows.ts';
import { type SearchInView, ShownSearch } from '../../../../src/features/executions/search/shownSearch.ts';
import { createExecutionsTree } from '../../../../src/features/executions/tree/executionsTree.ts';
import { ActiveFilter } from '../../../../src/features/executions/tree/viewFilter.ts';
import type { ExecutionSearches } from '../../../../src/model/search/executionSearches.ts';
import type { SearchState } from '../../../../src/model/search/executionSearch.ts';
import type { SearchCount } from '../../../../src/model/search/searchCounts.ts';
import { maximumFound } from '../../../../src/model/search/searchWork.ts';
import { parseSearch } from '../../../../src/model/search/searchQuery.ts';
import { assertGolden } from '../../../support/golden.ts';
import { makeExecution, makeNodeLog, makeWorkflow, statusOf } from '../../../support/memory/records.ts';
import { settle } from '../../../support/memory/ports.ts';
import { MemoryTreeView } from '../../../support/memory/treeView.ts';
import { connectBoth, createWorld } from '../../../support/memory/world.ts';
import { renderTree } from '../../../support/renderTree.ts';

const state: SearchState = {
  status: 'searching',
  searched: 120,
  listed: 800,
  isWholeListed: true,
  since: null,
  partlySearched: 0,
  found: [],
  hasMore: true,
  waitsUntil: null,
  error: null,
};
const inView = (change: Partial<SearchState>): SearchInView => ({
  connectionId: 'c',
  query: 'INV-7',
  filter: parseSearch('INV-7', { now: () => 0 }).filter,
  state: { ...state, ...change },
});
const found = (count: number) => Array.from({ length: count }, (_, at) => makeExecution(`e${at}`));

describe('what is said of a search', () => {
  const own = { searched: null, listed: null };
  const cases: readonly (readonly [string, Partial<SearchState>])[] = [
    ['INV-7: Searching… · 120 of 800 searched · 0 found so far', {}],
    [
      'INV-7: Searching… · 120 of 800 or more searched · 2 found so far',
      { isWholeListed: false, found: found(2) },
    ],
    ['INV-7: Waiting for the request limit… · 120 of 800 searched · 0 found so far', { waitsUntil: 1 }],
    ['INV-7: Searching… · 0 found so far', own],
    ['INV-7: Paused · 120 of 800 searched · 0 found so far', { status: 'paused' }],
    ['INV-7: Cancelled · 120 of 800 searched · 0 found so far', { status: 'cancelled' }],
    ['INV-7: The search failed · 120 of 800 searched · 0 found so far', { status: 'failed' }],
    ['INV-7: No executions found', { status: 'ended', hasMore: false }],
    ['INV-7: 1 execution found', { status: 'ended', hasMore: false, found: found(1) }],
    ['INV-7: 12 executions found', { ...own, status: 'ended', hasMore: false, found: found(12) }],
    ['INV-7: The 50 newest found', { ...own, status: 'ended', found: found(50) }],
    ['INV-7: The 5,000 newest found', { status: 'ended', hasMore: false, found: found(maximumFound) }],
    [
      'INV-7: 2 executions found · searched only in part: 3',
      { status: 'ended', hasMore: false, found: found(2), partlySearched: 3 },
    ],
  ];
  for (const [words, change] of cases)
    it(`is "${words}"`, () => assert.equal(describeSearch(inView(change)), words));

  it('names a search that was saved', () =>
    assert.equal(
      describeSearch(inView({}), 'Seven'),
      'Seven: Searching… · 120 of 800 searched · 0 found so far',
    ));

  it('names the time back to which it has come', () => {
    const since = new Date('2026-01-05T10:00:00');
    assert.match(describeSearch(inView({ since })), / · 120 of 800 searched, back to .*2026.* · /);
  });
});

describe('the rows of a search', () => {
  const kinds = (change: Partial<SearchState>, reason?: string, isOfService = false) =>
    listSearch(inView(change), isOfService, reason).map((row) =>
      row.kind === 'action' ? row.command : row.kind,
    );

  it('offer to pause what takes long, to resume it, and to load more', () => {
    assert.deepEqual(kinds({}), ['executions.clearSearch', 'executions.pauseSearch']);
    assert.deepEqual(kinds({}, undefined, true), ['executions.clearSearch']);
    assert.deepEqual(kinds({ status: 'paused' }), ['executions.clearSearch', 'executions.resumeSearch']);
    assert.deepEqual(kinds({ status: 'failed' }, 'down'), [
      'executions.clearSearch',
      'executions.resumeSearch',
      'note',
    ]);
    assert.deepEqual(kinds({ status: 'ended', found: found(1) }), [
      'executions.clearSearch',
      'execution',
      'more',
    ]);
    assert.deepEqual(kinds({ status: 'ended', hasMore: false }), ['executions.clearSearch']);
  });

  it('are as many as a search finds, and then say how to narrow it', () => {
    const rows = listSearch(inView({ status: 'ended', found: found(maximumFound) }), true, undefined);
    assert.deepEqual([rows.length, rows.at(-1)?.kind], [maximumFound + 2, 'note']);
  });
});

async function open() {
  const world = createWorld();
  const [connectionId, otherId] = await connectBoth(world);
  const { first } = world;
  first.workflows = [makeWorkflow('w1', { name: 'Invoices' })];
  const completed = { status: statusOf('completed'), durationMs: 90 };
  first.executions = [
    makeExecution('exec_000001', { ...completed, input: { order: { id: 'Inv-7' } } }),
    makeExecution('exec_000002', completed),
    makeExecution('exec_000003', completed),
  ];
  first.logs.set('exec_000003', [
    makeNodeLog(1, {
      nodeId: 'charge',
      nodeName: 'Charge card',
      iteration: [1],
      status: statusOf('completed'),
      output: { text: 'paid: INV-7' },
    }),
  ]);
  const keys = new Map<string, unknown>();
  const contextKeys = (name: string, value: unknown) => void keys.set(name, value);
  const view = new MemoryTreeView();
  const activeFilter = new ActiveFilter(world.connections, world.executions);
  const shown = new ShownSearch(world);
  const counts = new ObservableValue<ReadonlyMap<string, SearchCount>>(new Map());
  const tree = createExecutionsTree(view, { ...world, contextKeys }, activeFilter, { shown, counts });
  const ended = (): Promise<void> =>
    new Promise((resolve) => {
      const look = (search: SearchInView | null): void => {
        if (search?.state.status !== 'searching') resolve();
      };
      shown.shown.onDidChange(look);
      look(shown.shown.current);
    });
  const close = () => [tree, shown, activeFilter].map((each) => each.dispose());
  return { world, connectionId, otherId, view, keys, shown, counts, tree, ended, close };
}

describe('a search in the Executions view', () => {
  it('has rows that say where the text was found, and lead there', async () => {
    const { connectionId, view, keys, shown, tree, ended, close } = await open();
    shown.begin(connectionId, 'inv-7');
    await ended();
    assertGolden('executionsViewSearch', await renderTree(tree, view, keys));
    const [, first] = await tree.getChildren();
    assert.equal(first?.kind === 'execution' && first.opens, 'execution.openFound');
    shown.clear();
    const rows = await tree.getChildren();
    assert.deepEqual([rows.length, rows[0]?.kind, view.message], [3, 'execution', '']);
    close();
  });

  it('is not begun with mistakes, and then the one before stays', async () => {
    const { connectionId, shown, ended, close } = await open();
    shown.begin(connectionId, 'inv-7');
    await ended();
    const before = shown.shown.current;
    assert.throws(() => shown.begin(connectionId, 'status:odd'), SearchError);
    assert.equal(shown.shown.current, before);
    close();
  });

  it('ends with its connection, its key, or another search, and none of its requests goes on', async () => {
    const { world, connectionId, otherId, shown, ended, close } = await open();
    const letGo = world.first.hold();
    shown.begin(connectionId, 'inv-7');
    shown.begin(connectionId, 'inv-8');
    world.first.letThrough();
    letGo();
    await ended();
    assert.deepEqual([shown.shown.current?.query, shown.shown.current?.state.found], ['inv-8', []]);
    await world.connections.switchTo(otherId);
    assert.equal(shown.shown.current, null);
    assert.equal(shown.find({ connectionId, executionId: 'exec_000001' }), undefined);
    close();
  });

  it('is no longer searched to its end once it is cleared, and nobody waits for that', async () => {
    const { world, connectionId, close } = await open();
    world.first.executions = Array.from({ length: 150 }, (_, at) =>
      makeExecution(`e${at}`, { status: statusOf('failed') }),
    );
    const begin: ExecutionSearches['begin'] = (id, filter) => world.searches.begin(id, filter, { wanted: 1 });
    const shown = new ShownSearch({ ...world, searches: { begin } });
    shown.begin(connectionId, 'status:failed');
    await settle();
    assert.deepEqual(
      [shown.shown.current?.state.status, shown.shown.current?.state.hasMore],
      ['ended', true],
    );
    for (const end of [() => shown.clear(), () => shown.begin(connectionId, 'inv-7')]) {
      shown.begin(connectionId, 'status:failed');
      await settle();
      const letGo = world.first.hold();
      const loading = shown.loadAll(new AbortController().signal);
      assert.equal(shown.shown.current?.state.status, 'searching');
      end();
      assert.equal(await loading, false);
      world.first.letThrough();
      letGo();
    }
    shown.dispose();
    close();
  });

  it('says why it fails, and can be resumed, whether its workflow is gone or its key has expired', async () => {
    const { world, connectionId, shown, tree, ended, close } = await open();
    const rows = async () => {
      await ended();
      return (await tree.getChildren()).map((row) => (row.kind === 'note' ? row.text : row.kind));
    };
    shown.begin(connectionId, 'workflow:"Long gone" status:failed');
    assert.deepEqual(await rows(), ['action', 'action', 'No workflow has the name or ID "Long gone".']);
    world.first.failure = new ServiceError({ kind: 'keyRejected', code: 'api_key_expired' }, 'expired', {
      status: 401,
    });
    shown.begin(connectionId, 'inv-7');
    assert.match((await rows()).join(), /^action,action,.*expired/);
    world.first.failure = null;
    shown.goOn();
    assert.deepEqual(await rows(), ['action', 'execution', 'execution']);
    close();
  });

  it('stands below the searches that were saved, whose counts are in the badge', async () => {
    const { world, connectionId, view, keys, counts, tree, close } = await open();
    await world.savedSearches.save(connectionId, {
      query: 'status:failed after:1d',
      name: 'Failed today',
      isCounted: true,
    });
    await world.savedSearches.save(connectionId, { query: 'INV-7', name: 'INV-7', isCounted: false });
    counts.set(new Map([['status:failed after:1d', { count: 100, hasMore: true }]]));
    await tree.getChildren();
    const text = await renderTree(tree, view, keys);
    assertGolden('executionsViewSaved', text.slice(0, text.indexOf('Invoices')));
    assert.deepEqual(view.badge, { value: 100, tooltip: 'Failed today: 100+' });
    close();
  });
});
