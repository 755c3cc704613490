// A list is read page by page; a later read cancels an earlier one, except that catching up waits for what the user asked for.
import assert from 'node:assert/strict';
import type { Page } from '../../../src/domain/queries.ts';
import { PagedList } from '../../../src/model/list/pagedList.ts';
import type { PagedListDeps } from '../../../src/model/list/pages.ts';
import { settle } from '../../support/memory/ports.ts';

interface Item {
  readonly id: string;
}

describe('a paged list', () => {
  const pages = new Map<string, Page<Item>>();
  /** The cursors that were asked for, and which of the requests were cancelled. */
  let asked: string[];
  let release: () => void;
  let gate: Promise<unknown>;
  let list: PagedList<Item>;

  function hold(): void {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    gate = promise;
    release = () => resolve(undefined);
  }

  function open(deps: Partial<PagedListDeps<Item>>): PagedList<Item> {
    return new PagedList<Item>({
      keyOf: ({ id }) => id,
      pageSize: 2,
      readPage:
        ({ signal }) =>
        async (cursor = 'start') => {
          asked.push(cursor);
          const tell = (): unknown => asked.push(`${cursor} cancelled`);
          signal.addEventListener('abort', tell);
          await gate;
          signal.removeEventListener('abort', tell);
          return pages.get(cursor) ?? assert.fail(cursor);
        },
      ...deps,
    });
  }

  const page = (nextCursor: string | null, ...ids: readonly string[]): Page<Item> => ({
    items: ids.map((id) => ({ id })),
    nextCursor,
  });
  const ids = () => list.state.current.items.map(({ id }) => id);

  beforeEach(() => {
    asked = [];
    gate = Promise.resolve();
    release = () => undefined;
    pages.clear();
    pages.set('start', page('second', 'd', 'c')).set('second', page(null, 'b', 'a'));
  });
  afterEach(() => {
    list.dispose();
  });

  it('puts what was added during a read in front, and not what only changed, which is on a later page', async () => {
    list = open({ merge: (_earlier, later) => later });
    await list.refresh();
    list.put({ id: 'e' }, true);
    pages.set('start', page('second', 'e', 'd'));
    hold();
    const reading = list.refresh();
    await settle();
    list.put({ id: 'c' }, true);
    list.put({ id: 'f' }, true);
    list.put({ id: 'f' }, true);
    release();
    await reading;
    assert.deepEqual(ids(), ['f', 'e', 'd']);
  });

  it('cancels a read that a later one overtakes, and neither rejects', async () => {
    list = open({});
    hold();
    const first = list.refresh();
    const second = list.refresh();
    assert.deepEqual(asked, ['start', 'start cancelled', 'start']);
    release();
    await Promise.all([first, second]);
    assert.deepEqual([ids(), list.state.current.status], [['d', 'c'], 'loaded']);
  });

  it('cancels its read when it is emptied', async () => {
    list = open({});
    hold();
    const reading = list.refresh();
    list.reset();
    release();
    await reading;
    assert.deepEqual([asked, ids(), list.state.current.status], [['start', 'start cancelled'], [], 'idle']);
  });

  for (const isAppendOnly of [true, false])
    it(`${isAppendOnly ? 'that is append-only ' : ''}catches up after the page that was asked for`, async () => {
      list = open({ isAppendOnly });
      await list.refresh();
      hold();
      const reading = [list.loadMore(), settle().then(() => list.refreshHead())];
      await settle();
      assert.deepEqual(asked, ['start', 'second']);
      release();
      await Promise.all(reading);
      assert.deepEqual(
        [asked, ids()],
        [
          ['start', 'second', 'start'],
          ['d', 'c', 'b', 'a'],
        ],
      );
    });

  it('catches up after what was asked for in the meantime, too', async () => {
    list = open({});
    hold();
    const reading = [list.refresh(), list.refreshHead(), settle().then(() => list.refresh())];
    await settle();
    assert.deepEqual(asked, ['start', 'start cancelled', 'start']);
    release();
    await Promise.all(reading);
    assert.deepEqual(asked, ['start', 'start cancelled', 'start', 'start']);
  });

  it('reads five small pages at once, and again as many as it shows', async () => {
    for (let at = 0; at < 20; at += 1) pages.set(at === 0 ? 'start' : `p${at}`, page(`p${at + 1}`, `${at}`));
    pages.set('p20', page(null, '20'));
    list = open({ pageSize: 50 });
    await list.refresh();
    assert.deepEqual([ids().length, asked.length], [5, 5]);
    await list.loadMore();
    assert.deepEqual([ids().length, asked.length], [10, 10]);
    await list.refresh();
    assert.deepEqual([ids().length, asked.length], [10, 20]);
    await list.refreshHead();
    assert.deepEqual([ids().length, asked.length], [10, 25]);
  });

  it('keeps the same array where a read brought nothing new', async () => {
    list = open({});
    await list.refresh();
    const { items } = list.state.current;
    await list.refreshHead();
    assert.equal(list.state.current.items, items);
  });

  it('begins anew once far more came in front than was asked for', async () => {
    const newest = (last: number): readonly string[] =>
      Array.from({ length: 100 }, (_, at) => `i${last - at}`);
    list = open({ pageSize: 100 });
    pages.set('start', page('second', ...newest(100)));
    await list.refresh();
    const counts: number[] = [];
    for (let last = 150; last <= 6000; last += 50) {
      pages.set('start', page('second', ...newest(last)));
      await list.refreshHead();
      counts.push(ids().length);
    }
    assert.ok(counts.includes(2000));
    assert.ok(Math.max(...counts) <= 2100);
    assert.deepEqual([ids()[0], list.state.current.nextCursor], ['i6000', 'second']);
  });

  it('is read itself once a larger list gave it far more than was asked for', async () => {
    const newest = (last: number): readonly Item[] =>
      Array.from({ length: 100 }, (_, at) => ({ id: `i${last - at}` }));
    list = open({});
    pages.set('start', { items: newest(100), nextCursor: 'second' });
    await list.refresh();
    let last = 150;
    while (list.adopt(newest(last)) && last < 6000) last += 50;
    assert.equal(last, 2150);
    pages.set('start', { items: newest(last), nextCursor: 'second' });
    await list.refreshHead();
    assert.deepEqual([ids().length, list.adopt(newest(last + 50)), ids().length], [100, true, 150]);
  });

  it('shows an item once that two pages hold', async () => {
    pages.set('second', page(null, 'c', 'b'));
    list = open({});
    await list.refresh();
    await list.loadMore();
    assert.deepEqual(ids(), ['d', 'c', 'b']);
  });

  it('lets go of what is beyond its maximum, and does not go on then', async () => {
    list = open({ maximumItems: 3 });
    await list.refresh();
    list.put({ id: 'e' }, true);
    assert.equal(list.trimmed.sought, false);
    list.put({ id: 'f' }, true);
    assert.deepEqual(
      [ids(), list.trimmed.sought, list.state.current.nextCursor],
      [['f', 'e', 'd'], true, null],
    );
    await list.loadMore();
    assert.deepEqual(asked, ['start']);
    list.reset();
    assert.equal(list.trimmed.sought, false);
  });
});
