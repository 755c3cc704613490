// A search on this side of 800 executions, with 60 requests a minute that it shares with a person.
import assert from 'node:assert/strict';
import { Budgets } from '../../../src/api/budget/budgets.ts';
import { createClient } from '../../../src/api/client.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import type { ExecutionSearch } from '../../../src/model/search/executionSearch.ts';
import { ExecutionSearches } from '../../../src/model/search/executionSearches.ts';
import { parseSearch } from '../../../src/model/search/searchQuery.ts';
import { HandClock, settle } from '../../support/memory/ports.ts';
import { connectBoth, createWorld, type World } from '../../support/memory/world.ts';
import { createScriptedPort, type ScriptedAnswer } from '../../support/scriptedPort.ts';

const count = 800;
const second = 1000;
const minute = 60 * second;

const isNeedle = (id: number): boolean => id % 200 === 150;

const record = (id: number) => ({
  id: `e${id}`,
  workflowId: 'w1',
  status: 'completed',
  startedAt: new Date(Date.UTC(2026, 0, 1) + id * minute).toISOString(),
});

function answer(url: string): ScriptedAnswer {
  const { pathname, searchParams } = new URL(url);
  const [, id = '', part = ''] = /\/executions\/e(\d+)\/?(\w*)$/.exec(pathname) ?? [];
  if (pathname.endsWith('/workflows')) return { body: { data: [], nextCursor: null } };
  if (part === 'logs') return { body: { data: [], nextCursor: null } };
  if (part === 'output')
    return { body: { executionId: `e${id}`, status: 'completed', output: {}, error: null } };
  if (id !== '')
    return { body: { ...record(Number(id)), input: { order: isNeedle(Number(id)) ? 'INV-7' : 'other' } } };
  const from = Number(searchParams.get('cursor') ?? 0);
  const end = Math.min(count, from + Number(searchParams.get('limit')));
  const data = Array.from({ length: end - from }, (_, index) => record(count - from - index));
  return { body: { data, nextCursor: end < count ? String(end) : null } };
}

describe('a search within the limit of requests', () => {
  let world: World;
  let connectionId = '';
  let search: ExecutionSearch;
  /** When each request was sent, in epoch milliseconds. */
  let sent: number[] = [];

  beforeEach(async () => {
    const clock = new HandClock();
    sent = [];
    const { port } = createScriptedPort((url) => {
      sent.push(clock.now());
      return answer(url);
    });
    const budgets = new Budgets({ clock, random: () => 0 });
    const shared = {
      http: () => Promise.resolve(port),
      logger: silentLogger,
      keyPrefix: () => 'svc_sk_',
      budgets,
    };
    world = createWorld({
      clock,
      createClient: ({ baseUrl }, key, owner) => createClient({ ...shared, baseUrl, key, owner, clock }),
    });
    [connectionId] = await connectBoth(world);
    const { filter } = parseSearch('INV-7', clock);
    search = new ExecutionSearches(world).begin(connectionId, filter);
  });
  afterEach(() => {
    search.dispose();
    world.clients.dispose();
  });

  const pass = (milliseconds: number) => world.clock.advance(milliseconds);

  /** A person's request, for which no time passes. */
  async function click(): Promise<void> {
    const answers: unknown[] = [];
    const { workflows } = world.clients.get(connectionId);
    const answered = workflows.list({ search: String(sent.length) }).then((page) => answers.push(page));
    for (let turn = 0; turn < 50 && answers.length === 0; turn += 1) await settle();
    assert.equal(answers.length, 1, `A person waits after ${sent.length} requests.`);
    await answered;
  }

  it('keeps no click waiting, and is whole in the end', async () => {
    const { state } = search;
    let clicks = 0;
    let firstFound = Infinity;
    while (state.current.status === 'searching') {
      await pass(10 * second);
      await click();
      clicks += 1;
      if (state.current.found.length > 0) firstFound = Math.min(firstFound, state.current.searched ?? 0);
    }
    const { status, found, searched, listed, partlySearched } = state.current;
    assert.deepEqual([status, searched, listed, partlySearched], ['ended', count, count, 0]);
    assert.deepEqual(
      found.map(({ id }) => id),
      ['e750', 'e550', 'e350', 'e150'],
    );
    assert.ok(firstFound < 80, String(firstFound));
    // No minute has more than the service takes.
    for (const [index, time] of sent.entries())
      assert.ok((sent[index + 60] ?? Infinity) - time >= minute, `${index}: 61 requests in a minute`);
    assert.equal(sent.length, 1 + clicks + count / 100 + 3 * count);
  });

  it('knows soon how many there are', async () => {
    await pass(3 * minute);
    const { listed, isWholeListed, searched } = search.state.current;
    assert.deepEqual([listed, isWholeListed], [count, true]);
    assert.ok((searched ?? 0) > 20 && (searched ?? 0) < 80, String(searched));
  });

  it('sends nothing while it is paused, and goes on where it was', async () => {
    await pass(2 * minute);
    search.pause();
    await settle();
    const { length } = sent;
    const { searched } = search.state.current;
    await pass(10 * minute);
    assert.equal(sent.length, length);
    search.goOn();
    await pass(second);
    assert.ok((search.state.current.searched ?? 0) > (searched ?? 0));
  });

  it('sends nothing after its window is closed in the middle', async () => {
    await pass(2 * minute);
    search.dispose();
    await settle();
    const { length } = sent;
    await pass(10 * minute);
    assert.equal(sent.length, length);
    assert.equal(world.clock.armed, 0);
  });
});
