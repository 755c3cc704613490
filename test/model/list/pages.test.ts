// Pages are read, joined and compared by pure rules; each row is one of them.
import assert from 'node:assert/strict';
import type { Page } from '../../../src/domain/queries.ts';
import { changeOf, joinNewest, readPages } from '../../../src/model/list/pages.ts';

interface Item {
  readonly id: number;
  readonly look: string;
}

const keyOf = ({ id }: Item): string => String(id);
const page = (ids: readonly number[], nextCursor: string | null = null): Page<Item> => ({
  items: ids.map((id) => ({ id, look: 'plain' })),
  nextCursor,
});
const idsOf = (joined: Page<Item> | undefined) => joined?.items.map(({ id }) => id);

describe('the newest page of a list', () => {
  const meetings: readonly (readonly [string, number[], number[], number[] | undefined])[] = [
    ['new ones in front', [3, 2, 1], [5, 4, 3], [5, 4, 3, 2, 1]],
    ['nothing new', [3, 2, 1], [3, 2], [3, 2, 1]],
    ['one that a stream left out', [5, 3], [5, 4, 3], [5, 4, 3]],
    ['one that is not listed yet', [6, 5, 4], [5, 4], [6, 5, 4]],
    ['more than was known', [3], [4, 3, 2, 1], [4, 3, 2, 1]],
    ['nothing in common', [3, 2], [9, 8], undefined],
  ];
  for (const [title, held, newest, expected] of meetings)
    it(`is joined to an append-only list: ${title}`, () =>
      assert.deepEqual(idsOf(joinNewest(page(held), page(newest), { keyOf, isAppendOnly: true })), expected));

  const changing: readonly (readonly [string, number[], Page<Item>, number[] | undefined])[] = [
    ['new ones in front', [3, 2, 1], page([5, 4, 3], 'behind 3'), [5, 4, 3, 2, 1]],
    ['one that is gone', [4, 3, 2, 1], page([4, 2], 'behind 2'), [4, 2, 1]],
    ['the whole list', [3, 2, 1], page([4, 3]), [4, 3]],
    ['nothing in common', [3, 2], page([9, 8], 'behind 8'), undefined],
  ];
  for (const [title, held, newest, expected] of changing)
    it(`is joined to a list whose items may go: ${title}`, () => {
      const joined = joinNewest(page(held, 'behind all'), newest, { keyOf, isAppendOnly: false });
      assert.deepEqual(idsOf(joined), expected);
    });

  it('goes on from where its last item stands', () => {
    const known = page([3, 2], 'behind 2');
    for (const isAppendOnly of [true, false]) {
      const rules = { keyOf, isAppendOnly };
      assert.equal(joinNewest(known, page([4, 3], 'behind 3'), rules)?.nextCursor, 'behind 2');
      assert.equal(joinNewest(known, page([4, 3, 2, 1], 'behind 1'), rules)?.nextCursor, 'behind 1');
    }
  });
});

describe('pages', () => {
  /** A hundred items, as many a page as are asked for but five at most. */
  function createReader() {
    const asked: (readonly [string | undefined, number])[] = [];
    const read = (cursor: string | undefined, limit: number): Promise<Page<Item>> => {
      asked.push([cursor, limit]);
      const from = Number(cursor ?? 0);
      const end = Math.min(100, from + Math.min(5, limit));
      const ids = Array.from({ length: end - from }, (_each, at) => from + at);
      return Promise.resolve(page(ids, end < 100 ? String(end) : null));
    };
    return { asked, read };
  }
  const until = (count: number) => ({
    limit: (read: number) => count - read,
    isEnough: (items: readonly Item[]) => items.length >= count,
  });

  it('are read until there are enough, whatever size the service gives', async () => {
    const { asked, read } = createReader();
    const { items, nextCursor } = await readPages(read, { ...until(12), from: '10', maximumPages: 9 });
    assert.deepEqual([items[0]?.id, items.length, nextCursor], [10, 12, '22']);
    assert.deepEqual(asked, [
      ['10', 12],
      ['15', 7],
      ['20', 2],
    ]);
  });

  it('are read to the end, or as many as may be', async () => {
    const { read } = createReader();
    const whole = await readPages(read, { ...until(500), maximumPages: 50 });
    assert.deepEqual([whole.items.length, whole.nextCursor], [100, null]);
    const part = await readPages(read, { ...until(500), maximumPages: 3 });
    assert.deepEqual([part.items.length, part.nextCursor], [15, '15']);
  });
});

describe('a list that was replaced', () => {
  const rules = { keyOf, looksSame: (earlier: Item, later: Item) => earlier.look === later.look };
  const before = page([3, 2, 1], 'behind 1');
  const relooked = { ...before, items: before.items.map((item) => ({ ...item, look: `${item.id % 2}` })) };

  it('is drawn anew where items came, went or moved, or where it ends now', () => {
    for (const after of [page([4, 3, 2, 1], 'x'), page([3, 2], 'x'), page([2, 3, 1], 'x'), page([3, 2, 1])])
      assert.deepEqual(changeOf(before, after, rules), { kind: 'list' });
  });

  it('is drawn by the rows that look different, or not at all', () => {
    const [first = assert.fail(), ...rest] = before.items;
    const one = { ...before, items: [{ ...first, look: 'other' }, ...rest] };
    assert.deepEqual(changeOf(before, one, rules), { kind: 'rows', ids: ['3'] });
    assert.deepEqual(changeOf(before, relooked, rules), { kind: 'rows', ids: ['3', '2', '1'] });
    assert.equal(changeOf(before, page([3, 2, 1], 'elsewhere'), rules), null);
    // Without a rule only the same object looks the same.
    assert.equal(changeOf(before, { ...before, nextCursor: 'elsewhere' }, { keyOf }), null);
    assert.deepEqual(changeOf(before, page([3, 2, 1], 'x'), { keyOf }), {
      kind: 'rows',
      ids: ['3', '2', '1'],
    });
  });
});
