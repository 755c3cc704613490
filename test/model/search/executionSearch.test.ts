// A search, by the service and on this side: what is found and shown, and how it is stopped.
import assert from 'node:assert/strict';
import type { Execution } from '../../../src/domain/execution.ts';
import { ServiceError } from '../../../src/domain/errors.ts';
import type { SearchFilter } from '../../../src/domain/search.ts';
import { contractCapabilities } from '../../../src/protocol/operations.ts';
import type { ExecutionSearch, SearchState } from '../../../src/model/search/executionSearch.ts';
import { ExecutionSearches } from '../../../src/model/search/executionSearches.ts';
import { searchExecutions } from '../../../src/model/search/searchExecutions.ts';
import { parseSearch } from '../../../src/model/search/searchQuery.ts';
import { writeValue } from '../../../src/model/search/searchTerms.ts';
import { maximumFound } from '../../../src/model/search/searchWork.ts';
import { SearchedTexts } from '../../../src/model/search/searchedTexts.ts';
import {
  makeExecution,
  makeExchange,
  makeNodeLog,
  makeWorkflow,
  statusOf,
} from '../../support/memory/records.ts';
import { connectBoth, createWorld, type World } from '../../support/memory/world.ts';

const day = (number: number): Date => new Date(Date.UTC(2026, 0, number));

function ended(number: number, change: Partial<Execution> = {}): Execution {
  return makeExecution(`e${number}`, {
    status: statusOf('completed'),
    createdAt: day(number),
    startedAt: day(number),
    completedAt: day(number),
    durationMs: number * 1000,
    ...change,
  });
}

interface Searching {
  readonly world: World;
  readonly connectionId: string;
  readonly searches: ExecutionSearches;
  readonly filter: (query: string) => SearchFilter;
  readonly begin: (query: string) => ExecutionSearch;
}

async function prepare(texts?: SearchedTexts): Promise<Searching> {
  const world = createWorld();
  const [connectionId] = await connectBoth(world);
  const searches = new ExecutionSearches({ ...world, ...(texts && { texts }) });
  const filter = (query: string) => parseSearch(query, world.clock).filter;
  return {
    world,
    connectionId,
    searches,
    filter,
    begin: (query) => searches.begin(connectionId, filter(query)),
  };
}

function untilStatus(
  search: ExecutionSearch,
  ...wanted: readonly SearchState['status'][]
): Promise<SearchState> {
  return new Promise((resolve) => {
    const look = (state: SearchState): void => {
      if (wanted.includes(state.status)) resolve(state);
    };
    search.state.onDidChange(look);
    look(search.state.current);
  });
}

const end = (search: ExecutionSearch) => untilStatus(search, 'ended', 'failed', 'cancelled');
const idsOf = ({ found }: Pick<SearchState, 'found'>) => found.map(({ id }) => id);

describe('a search on this side', () => {
  it('finds a text in every part, newest first, and says where', async () => {
    const { world, begin } = await prepare();
    const { first } = world;
    first.executions = [
      ended(6, { input: { invoice: { id: 'inv-7' } } }),
      ended(5, { input: {}, output: ['no', { number: 'X-INV-7-Y' }] }),
      ended(4, { status: statusOf('failed'), error: { code: 'c', message: 'INV-7 is gone', nodeId: 'n1' } }),
      ended(3),
      ended(2),
      ended(1, { input: { 'INV-7': 'only the name' } }),
    ];
    first.logs.set('e3', [
      makeNodeLog(1, { iteration: [2, 0], input: { a: [1, 'INV-7'] } }),
      makeNodeLog(2, { iteration: [2, 0], input: { a: [1, 'INV-7'] }, message: 'sent INV-7' }),
    ]);
    first.logs.set('e2', [
      makeNodeLog(1, { exchange: { ...makeExchange(200), request: { url: '/INV-7' } } }),
    ]);
    const state = await end(begin('INV-7'));
    assert.deepEqual(
      state.found.map(({ id, found }) => [id, found]),
      [
        ['e6', [{ place: 'input', path: 'invoice.id', excerpt: 'inv-7' }]],
        ['e5', [{ place: 'output', path: '[1].number', excerpt: 'X-INV-7-Y' }]],
        ['e4', [{ place: 'error', path: 'message', excerpt: 'INV-7 is gone' }]],
        [
          'e3',
          [
            { place: 'nodeRun', nodeId: 'n1', iteration: [2, 0], path: 'input.a[1]', excerpt: 'INV-7' },
            { place: 'nodeRun', nodeId: 'n1', iteration: [2, 0], path: 'message', excerpt: 'sent INV-7' },
          ],
        ],
        ['e2', [{ place: 'nodeRun', nodeId: 'n1', path: 'request.url', excerpt: '/INV-7' }]],
      ],
    );
    const { searched, listed, isWholeListed, hasMore, since, partlySearched } = state;
    assert.deepEqual([searched, listed, isWholeListed, hasMore, partlySearched], [6, 6, true, false, 0]);
    assert.deepEqual(since, day(1));
  });

  it('holds to the filters that a service ignores, and reads no more than it needs', async () => {
    const { world, begin } = await prepare();
    const { first } = world;
    const error = { code: 'timeout', message: 'm', nodeId: 'call' };
    first.workflows = [makeWorkflow('w1', { name: 'Totals' }), makeWorkflow('w2', { name: 'Other' })];
    first.executions = [
      ended(5, { workflowId: 'w2' }),
      ended(4, { status: statusOf('failed'), error }),
      ended(3, { status: statusOf('cancelled'), kind: 'draft' }),
      ended(2, { status: statusOf('failed'), error: { ...error, code: 'other', nodeId: 'x' } }),
      ended(1),
    ];
    const cases: readonly (readonly [string, readonly string[]])[] = [
      ['status:failed', ['e4', 'e2']],
      ['status:failed,cancelled', ['e4', 'e3', 'e2']],
      ['workflow:Totals', ['e4', 'e3', 'e2', 'e1']],
      ['workflow:w2', ['e5']],
      ['error:timeout', ['e4']],
      ['node:x', ['e2']],
      ['longer:3s', ['e5', 'e4', 'e3']],
      ['kind:draft', ['e3']],
      [`after:${day(2).toISOString()} before:${day(4).toISOString()}`, ['e3', 'e2']],
    ];
    for (const [query, ids] of cases) {
      first.calls.length = 0;
      assert.deepEqual(idsOf(await end(begin(query))), ids, query);
      assert.deepEqual(
        first.calls.filter((call) => /output|logs|get /.test(call)),
        [],
        query,
      );
    }
  });

  it('holds to them where thousands in a row are unwanted', async () => {
    const { world, begin } = await prepare();
    const { first } = world;
    // Their pages are read ahead, and then decided in more than one step.
    const wanted = Array.from({ length: 52 }, (_, index) =>
      ended(9000 - index, { status: statusOf('failed'), input: index === 51 ? 'needle' : 'hay' }),
    );
    const others = Array.from({ length: 3000 }, (_, index) => ended(8000 - index, { input: 'needle' }));
    first.executions = [...wanted, ...others];
    assert.deepEqual(idsOf(await end(begin('status:failed,cancelled needle'))), ['e8949']);
    assert.deepEqual(
      first.calls.filter((call) => call.endsWith(' e7000')),
      [],
    );
  });

  it('finds out which node failed, and how, where the list says neither', async () => {
    const { world, begin } = await prepare();
    const { first } = world;
    first.executions = [ended(2, { status: statusOf('failed') }), ended(1, { status: statusOf('failed') })];
    first.logs.set('e1', [makeNodeLog(1, { nodeId: 'call', status: statusOf('failed') })]);
    assert.deepEqual(idsOf(await end(begin('node:call'))), ['e1']);
    assert.deepEqual(idsOf(await end(begin('error:timeout'))), []);
  });

  it('shows what it finds at once, and leaves the first places to the user', async () => {
    const { world, begin } = await prepare();
    const { first } = world;
    first.pageSize = 2;
    first.executions = [3, 2, 1].map((number) => ended(number, { input: number === 2 ? 'no' : 'yes!' }));
    const search = begin('yes!');
    const shown: string[] = [];
    search.state.onDidChange((state) =>
      shown.push(`${idsOf(state).join()} ${state.searched}/${state.listed}`),
    );
    await end(search);
    assert.deepEqual([...new Set(shown)], [' 0/2', 'e3 1/2', 'e3 2/2', 'e3 2/3', 'e3,e1 3/3']);
    assert.deepEqual(
      new Set(first.purposes.slice(first.calls.lastIndexOf('executions.list'))),
      new Set(['search']),
    );
  });

  it('reads again only what may have changed', async () => {
    const { world, begin } = await prepare();
    const { first } = world;
    first.executions = [ended(3, { status: statusOf('running') }), ended(2), ended(1)];
    await end(begin('something'));
    const of = (id: string) => first.calls.filter((call) => call.endsWith(` ${id}`)).length;
    const before = [of('e3'), of('e2'), of('e1')];
    first.logs.set('e3', [makeNodeLog(1, { message: 'something' })]);
    assert.deepEqual(idsOf(await end(begin('something'))), ['e3']);
    assert.deepEqual([of('e3'), of('e2'), of('e1')], [2 * (before[0] ?? 0), before[1], before[2]]);
  });

  it('pauses, goes on where it was, and ends when it is cancelled or disposed of', async () => {
    const { world, begin } = await prepare();
    const { first } = world;
    first.executions = [4, 3, 2, 1].map((number) => ended(number, { input: 'needle' }));
    const search = begin('needle');
    const listener = search.state.onDidChange(({ found }) => {
      if (found.length === 2) search.pause();
    });
    await untilStatus(search, 'paused');
    listener.dispose();
    const asked = first.calls.length;
    assert.equal(idsOf(search.state.current).join(), 'e4,e3');
    search.more();
    assert.equal(search.state.current.status, 'paused');
    search.goOn();
    search.pause();
    search.goOn();
    assert.equal(idsOf(await end(search)).join(), 'e4,e3,e2,e1');
    assert.ok(first.calls.length > asked);
    const other = begin('needle');
    other.cancel();
    assert.equal(other.state.current.status, 'cancelled');
    other.goOn();
    assert.equal(other.state.current.status, 'cancelled');
    begin('needle').dispose();
  });

  it('waits for the request limit, and goes on after a failure', async () => {
    const { world, begin } = await prepare();
    const { first, clock } = world;
    first.executions = [ended(2, { input: 'needle' }), ended(1, { input: 'needle' })];
    const search = begin('needle');
    const listener = search.state.onDidChange(({ found }) => {
      if (found.length !== 1) return;
      listener.dispose();
      const retryAt = clock.now() + 20_000;
      first.failure = new ServiceError({ kind: 'rateLimited', retryAt, isQuota: false }, 'wait');
    });
    await new Promise<void>((resolve) => {
      search.state.onDidChange(({ waitsUntil }) => waitsUntil !== null && resolve());
    });
    assert.equal(search.state.current.waitsUntil, clock.now() + 20_000);
    first.failure = new ServiceError({ kind: 'unreachable', cause: 'reset' }, 'gone');
    await clock.advance(20_000);
    const failed = await end(search);
    assert.deepEqual([failed.status, failed.error?.message, idsOf(failed)], ['failed', 'gone', ['e2']]);
    first.failure = null;
    search.goOn();
    assert.deepEqual(idsOf(await untilStatus(search, 'ended')), ['e2', 'e1']);
  });

  it('passes over records that are gone or can not be read, and says how many', async () => {
    const { world, begin } = await prepare();
    const { first } = world;
    first.executions = [ended(2), ended(1, { input: 'needle' })];
    first.logs.set('e2', [makeNodeLog(1, { input: { $cut: { bytes: 100_000, preview: '"nee' } } })]);
    const state = await end(begin('needle'));
    assert.deepEqual([idsOf(state), state.partlySearched, state.searched], [['e1'], 1, 2]);
    const whole = makeNodeLog(1, { input: 'needle' });
    first.wholeLogs.set('e2', [whole]);
    const again = await end(begin('needle'));
    assert.deepEqual([idsOf(again), again.partlySearched], [['e2', 'e1'], 0]);
  });

  it('reads a long log piece by piece', async () => {
    const { world, begin } = await prepare();
    const { first } = world;
    first.readAtOnce = 2;
    first.executions = [ended(1)];
    first.logs.set(
      'e1',
      [1, 2, 3, 4, 5].map((number) => makeNodeLog(number, { message: number === 5 ? 'needle' : 'hay' })),
    );
    assert.deepEqual(idsOf(await end(begin('needle'))), ['e1']);
  });

  it('says that no workflow has the name, and finds those of a deleted one by its id', async () => {
    const { world, begin } = await prepare();
    world.first.executions = [ended(1, { workflowId: 'gone' })];
    const failed = await end(begin('workflow:"No such"'));
    assert.deepEqual(
      [failed.status, failed.error?.name, failed.error?.message],
      ['failed', 'SearchError', 'No workflow "No such".'],
    );
    assert.deepEqual(idsOf(await end(begin('workflow:gone'))), ['e1']);
  });

  it('is of all workflows with the name, whatever characters that has', async () => {
    const { world, begin } = await prepare();
    const { first } = world;
    const name = 'say "hi" \\ twice';
    first.workflows = [makeWorkflow('w1', { name }), makeWorkflow('w2', { name }), makeWorkflow('w3')];
    first.executions = ['w3', 'w2', 'w1'].map((workflowId, at) => ended(3 - at, { workflowId }));
    const query = `workflow:${writeValue(name)}`;
    assert.deepEqual(idsOf(await end(begin(query))), ['e2', 'e1']);
    first.capabilities.set(new Set([...contractCapabilities, 'search']));
    assert.deepEqual(idsOf(await end(begin(query))), ['e2', 'e1']);
  });

  it('keeps what it read within a bound of bytes, the newest first', async () => {
    const texts = new SearchedTexts(64 * 1024);
    const { world, begin } = await prepare(texts);
    const { first } = world;
    const size = 2000;
    first.executions = Array.from({ length: 160 }, (_, index) => ended(160 - index));
    for (const { id } of first.executions)
      first.logs.set(id, [makeNodeLog(1, { message: 'x'.repeat(size) })]);
    await end(begin('needle'));
    assert.ok(texts.bytes <= 64 * 1024 && texts.bytes > 56 * 1024, String(texts.bytes));
    first.calls.length = 0;
    await end(begin('needle'));
    assert.ok(!first.calls.some((call) => call.endsWith(' e160')));
    assert.ok(first.calls.some((call) => call.endsWith(' e1')));
  });

  it('keeps nothing of a connection that is removed, or has another key', async () => {
    const texts = new SearchedTexts();
    const { world, connectionId, begin } = await prepare(texts);
    world.first.executions = [ended(1)];
    await end(begin('needle'));
    assert.ok(texts.bytes > 0);
    await world.connections.remove(connectionId);
    assert.equal(texts.bytes, 0);
  });
});

describe('a search by the service', () => {
  const found = [{ place: 'input', excerpt: 'INV-7' }] as const;

  async function prepareOffered(): Promise<Searching> {
    const prepared = await prepare();
    prepared.world.first.capabilities.set(new Set([...contractCapabilities, 'search']));
    return prepared;
  }

  it('shows page after page as they are asked for, with the places that the service tells', async () => {
    const { world, begin } = await prepareOffered();
    const { first } = world;
    first.executions = Array.from({ length: 120 }, (_, index) => ended(120 - index, { found }));
    const search = begin('INV-7');
    const page = await end(search);
    assert.deepEqual(
      [page.found.length, page.hasMore, page.searched, page.found[0]?.found],
      [100, true, null, found],
    );
    search.more();
    const all = await untilStatus(search, 'ended');
    assert.deepEqual([all.found.length, all.hasMore], [120, false]);
    assert.ok(!first.calls.some((call) => /output|logs|get /.test(call)));
  });

  it('says that there may be more where no search finds more', async () => {
    const { world, connectionId, searches } = await prepareOffered();
    const { first, clock } = world;
    first.executions = Array.from({ length: maximumFound + 1 }, (_, index) => ended(index + 1, { found }));
    const { signal } = new AbortController();
    const read = { limit: maximumFound + 1000, signal };
    const all = await searchExecutions({ searches, clock }, connectionId, 'INV-7', read);
    assert.deepEqual([all.status, all.found.length, all.hasMore], ['ended', maximumFound, true]);
  });

  it('leaves the rows of lists known, however many it finds', async () => {
    const { world, connectionId, searches, filter } = await prepareOffered();
    const { executions, first } = world;
    const scope = { connectionId, workflowId: null, filter: { states: [], period: null } };
    first.executions = [ended(9000)];
    await executions.refresh(scope);
    first.executions = Array.from({ length: 2500 }, (_, index) => ended(2500 - index, { found }));
    const search = searches.begin(connectionId, filter('INV-7'), { wanted: 2500 });
    assert.equal((await end(search)).found.length, 2500);
    assert.equal(executions.find({ connectionId, executionId: 'e9000' })?.id, 'e9000');
    assert.equal(executions.find({ connectionId, executionId: 'e2500' }), undefined);
  });

  it('keeps where a text was found out of the records that other views show', async () => {
    const { world, connectionId, begin } = await prepareOffered();
    world.first.executions = [ended(1, { found })];
    await end(begin('INV-7'));
    const known = world.executions.find({ connectionId, executionId: 'e1' });
    assert.deepEqual([known?.id, known?.found], ['e1', undefined]);
  });

  it('asks on while pages are short', async () => {
    const { world, begin } = await prepareOffered();
    const { first } = world;
    first.pageSize = 3;
    first.executions = Array.from({ length: 10 }, (_, index) => ended(10 - index, { found }));
    assert.equal((await end(begin('x7'))).found.length, 10);
  });

  it('begins once the service can search, and shows nothing that a process of an earlier version lists', async () => {
    const { world, begin } = await prepare();
    const { first } = world;
    first.executions = [ended(1)];
    assert.equal((await end(begin('INV-7'))).searched, 1);
    first.capabilities.set(new Set([...contractCapabilities, 'search']));
    const search = begin('INV-7');
    const { status, found: none, error } = await end(search);
    assert.deepEqual([status, none, error?.message], ['failed', [], 'The service has not searched.']);
    first.executions = [ended(1, { found })];
    search.goOn();
    assert.equal((await untilStatus(search, 'ended')).found.length, 1);
  });
});
