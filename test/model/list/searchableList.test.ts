// Whoever chooses from a long list reaches all of it, and the service is asked only what it alone can tell.
import assert from 'node:assert/strict';
import { ServiceError } from '../../../src/domain/errors.ts';
import { SearchableList } from '../../../src/model/list/searchableList.ts';
import { HandClock, settle } from '../../support/memory/ports.ts';
import type { Page } from '../../../src/domain/queries.ts';

interface Item {
  readonly id: string;
}
interface Asked {
  readonly search?: string;
  readonly cursor?: string;
}

const holds = ({ id }: Item, text: string): boolean => id.includes(text.toLowerCase());

/** Items in memory, searched as the contract says or not at all. */
class ListedItems {
  readonly asked: Asked[] = [];
  readonly aborted: string[] = [];
  readonly #items: readonly Item[];
  readonly #heedsSearch: boolean;
  failure: Error | null = null;
  pageSize = 10;
  #gate: Promise<unknown> = Promise.resolve();

  constructor(count: number, heedsSearch = true) {
    this.#items = Array.from({ length: count }, (_item, at) => ({ id: `item-${at}` }));
    this.#heedsSearch = heedsSearch;
  }

  /** Answers arrive only after the returned function was called. */
  hold(): () => void {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    this.#gate = promise;
    return () => resolve(undefined);
  }

  readonly read = async (query: Asked, signal: AbortSignal): Promise<Page<Item>> => {
    this.asked.push(query);
    signal.addEventListener('abort', () => this.aborted.push(query.search ?? ''), { once: true });
    const { failure } = this;
    await this.#gate;
    if (failure) throw failure;
    const { search = '', cursor = '0' } = query;
    const found = this.#heedsSearch ? this.#items.filter((item) => holds(item, search)) : this.#items;
    const end = Number(cursor) + this.pageSize;
    return {
      items: found.slice(Number(cursor), end),
      nextCursor: end < found.length ? String(end) : null,
    };
  };
}

describe('a searchable list', () => {
  let clock: HandClock;
  let list: SearchableList<Item> | undefined;
  afterEach(() => {
    list?.dispose();
    assert.equal(clock.armed, 0);
  });

  async function open(
    items: ListedItems,
    canSearch = true,
    accepts: (item: Item) => boolean = () => true,
  ): Promise<SearchableList<Item>> {
    clock = new HandClock();
    list = new SearchableList({ clock, readPage: items.read, matches: holds, canSearch, accepts });
    await settle();
    return list;
  }

  async function type(into: SearchableList<Item>, text: string): Promise<void> {
    into.search(text);
    await clock.advance(300);
  }

  const found = ({ state }: SearchableList<Item>): readonly string[] =>
    state.current.items.filter((item) => holds(item, state.current.text)).map(({ id }) => id);

  it('asks nothing while somebody types where the first page was all', async () => {
    const items = new ListedItems(10);
    const whole = await open(items);
    await type(whole, '7');
    assert.deepEqual(found(whole), ['item-7']);
    assert.deepEqual([items.asked.length, whole.state.current.hasMore], [1, false]);
  });

  it('asks for the text once typing pauses, and adds the answer to what was known', async () => {
    const items = new ListedItems(10_000);
    const all = await open(items);
    for (const text of ['9', '99', '999']) {
      all.search(text);
      await clock.advance(200);
    }
    assert.deepEqual([items.asked.length, all.state.current.isBusy], [1, true]);
    await clock.advance(100);
    assert.deepEqual(items.asked.slice(1), [{ search: '999' }]);
    assert.ok(found(all).includes('item-999'));
    const { isBusy, hasMore, items: known } = all.state.current;
    assert.deepEqual([isBusy, hasMore, known.length], [false, true, 20]);
  });

  it('asks nothing for what an answer that was whole has told already', async () => {
    const items = new ListedItems(10_000);
    const all = await open(items);
    await type(all, '987');
    assert.deepEqual([items.asked.length, all.state.current.hasMore], [2, true]);
    await type(all, '9876');
    assert.deepEqual([items.asked.length, all.state.current.hasMore], [3, false]);
    for (const text of ['item-9876', '9876', '987', ' 9876 ', '']) await type(all, text);
    assert.equal(items.asked.length, 3);
  });

  it('reads on where an answer was not whole', async () => {
    const items = new ListedItems(1000);
    const all = await open(items);
    await type(all, '99');
    assert.equal(found(all).length, 10);
    all.loadMore();
    await settle();
    assert.deepEqual(items.asked.at(-1), { search: '99', cursor: '10' });
    assert.deepEqual([found(all).length, all.state.current.hasMore], [19, false]);
  });

  it('drops the answer to a text that is no longer looked for', async () => {
    const items = new ListedItems(10_000);
    const all = await open(items);
    const release = items.hold();
    await type(all, '123');
    all.search('456');
    assert.equal(items.aborted.at(-1), '123');
    release();
    await clock.advance(300);
    assert.ok(all.state.current.items.every(({ id }) => !id.includes('123')));
    assert.ok(found(all).includes('item-456'));
  });

  it('heeds what is typed before the first page is there', async () => {
    const items = new ListedItems(10_000);
    const release = items.hold();
    const all = await open(items);
    await type(all, '4321');
    assert.equal(items.asked.length, 1);
    release();
    await clock.advance(300);
    assert.deepEqual(items.asked, [{}, { search: '4321' }]);
    assert.deepEqual(found(all), ['item-4321']);
  });

  it('finds out a service that does not search, and asks it no more; reading on goes to the next match', async () => {
    const items = new ListedItems(10_000, false);
    const all = await open(items);
    await type(all, '-38');
    await type(all, '-385');
    assert.deepEqual(
      [items.asked.length, all.state.current.isSearched, all.state.current.hasMore],
      [2, false, true],
    );
    await type(all, '-38');
    all.loadMore();
    await settle();
    assert.deepEqual(found(all), ['item-38']);
    assert.deepEqual(items.asked.at(-1), { cursor: '30' });
    await type(all, '-999');
    all.loadMore();
    await settle();
    // Five pages at most before it says how far it came.
    assert.deepEqual([items.asked.length, all.state.current.items.length], [10, 90]);
  });

  it('reads a list page by page that nobody searches, to its end', async () => {
    const items = new ListedItems(25);
    const all = await open(items, false);
    all.loadMore();
    await settle();
    all.loadMore();
    await settle();
    assert.deepEqual([all.state.current.items.length, all.state.current.hasMore], [25, false]);
  });

  it('reads small pages together, so that there is something to choose from', async () => {
    const items = new ListedItems(25);
    items.pageSize = 2;
    const all = await open(items, false);
    assert.deepEqual([all.state.current.items.length, all.state.current.hasMore], [10, true]);
    all.loadMore();
    await settle();
    assert.equal(all.state.current.items.length, 20);
  });

  it('reads past what cannot be chosen, and takes no page without a choice for the end', async () => {
    const items = new ListedItems(10_000);
    const few = await open(items, true, ({ id }) => id.endsWith('25'));
    assert.deepEqual([found(few), items.asked.length], [['item-25'], 3]);
    assert.equal(few.state.current.hasMore, true);
    await type(few, '9');
    assert.deepEqual(items.asked.at(-1), { search: '9' });
    assert.equal(few.state.current.hasMore, true);
    const none = new ListedItems(10_000);
    const { hasData, hasMore, items: known } = (await open(none, true, () => false)).state.current;
    assert.deepEqual([hasData, hasMore, known, none.asked.length], [true, true, [], 5]);
  });

  it('keeps what it has when the service fails, says why, and tries again', async () => {
    const items = new ListedItems(10_000);
    const all = await open(items);
    items.failure = new ServiceError({ kind: 'unavailable' }, 'down');
    await type(all, '5678');
    const { error, isBusy, items: known } = all.state.current;
    assert.deepEqual([error, isBusy, known.length], [items.failure, false, 10]);
    items.failure = null;
    all.loadMore();
    await settle();
    assert.deepEqual([found(all), all.state.current.error], [['item-5678'], null]);
  });

  it('says that the first page failed', async () => {
    const items = new ListedItems(10);
    items.failure = new ServiceError({ kind: 'unavailable' }, 'down');
    const { error, hasData } = (await open(items)).state.current;
    assert.deepEqual([error, hasData], [items.failure, false]);
  });
});
