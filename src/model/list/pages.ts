import type { CallOptions, Page } from '../../domain/queries.ts';

/** Reads one page with at most `limit` items from a cursor (undefined: from the start). A page without a cursor is the last one. */
export type ReadPage<T> = (cursor: string | undefined, limit: number) => Promise<Page<T>>;

export interface PagedListDeps<T> {
  readonly keyOf: (item: T) => string;
  /** The number of items in the first read and in each further page. */
  readonly pageSize: number;
  readonly readPage: (options: CallOptions & { readonly signal: AbortSignal }) => ReadPage<T>;
  /** True if an item belongs to the list, since a service may return more than requested. Default: all do. */
  readonly accepts?: (item: T) => boolean;
  /** Returns the earlier item itself if the later one adds nothing. Default: always the earlier one. */
  readonly merge?: (earlier: T, later: T) => T;
  readonly looksSame?: (earlier: T, later: T) => boolean;
  /** Items that the service may not list yet. They stay at the front until it does. */
  readonly unlisted?: (listed: ReadonlySet<string>) => readonly T[];
  /**
   * Items never change or disappear. Such a list is read one page at a time, or several where they're small, up to the first page with an
   * item that is sought, and its newest pages are read back to the first held item. Any other list is read again as far as it's shown. Default: false.
   */
  readonly isAppendOnly?: boolean;
  /** True if an item of an append-only list ends a read. Default: same as `accepts`. */
  readonly matchesSearch?: (item: T) => boolean;
  /** The maximum number of items that are sought, and of all others; further items are dropped. Default: no limit. */
  readonly maximumItems?: number;
}

export interface PageRange<T> {
  readonly from?: string | undefined;
  /** The number of items to request, by how many were read already. */
  readonly limit: (count: number) => number;
  /** True if the items read so far, on this many pages, are enough. */
  readonly isEnough: (items: readonly T[], pages: number) => boolean;
  readonly maximumPages: number;
}

/** Reads pages until the items are enough, the list ends or the maximum is reached, whatever page size the service uses. */
export async function readPages<T>(
  readPage: ReadPage<T>,
  { from, limit, isEnough, maximumPages }: PageRange<T>,
): Promise<Page<T>> {
  const items: T[] = [];
  let cursor = from;
  for (let pages = 1; ; pages += 1) {
    const page = await readPage(cursor, limit(items.length));
    items.push(...page.items);
    const { nextCursor } = page;
    if (nextCursor === null || isEnough(items, pages) || pages >= maximumPages) return { items, nextCursor };
    cursor = nextCursor;
  }
}

export interface JoinRules<T> {
  readonly keyOf: (item: T) => string;
  /** Held items stay even if the service doesn't list them any more. */
  readonly isAppendOnly: boolean;
}

/**
 * Joins the newest items of a list to the held items behind them. Returns undefined when the two don't overlap.
 * Held items among the newest that the service doesn't list are removed, unless the list is append-only.
 */
export function joinNewest<T>(
  held: Page<T>,
  newest: Page<T>,
  { keyOf, isAppendOnly }: JoinRules<T>,
): Page<T> | undefined {
  const listed = new Set(newest.items.map(keyOf));
  const isListed = (item: T): boolean => listed.has(keyOf(item));
  const first = held.items.findIndex(isListed);
  if (first < 0) return undefined;
  const front = isAppendOnly ? held.items.slice(0, first) : [];
  const rest = isAppendOnly ? first : held.items.findLastIndex(isListed);
  const mayGoOn = isAppendOnly || newest.nextCursor !== null;
  const behind = mayGoOn ? held.items.slice(rest).filter((item) => !isListed(item)) : [];
  return {
    items: [...front, ...newest.items, ...behind],
    nextCursor: behind.length > 0 ? held.nextCursor : newest.nextCursor,
  };
}

/** Whether items were dropped because of a maximum: some that are sought, or some of the others. */
export interface Trimmed {
  readonly sought: boolean;
  readonly others: boolean;
}

export const untrimmed: Trimmed = { sought: false, others: false };

/** Keeps the first items: at most this many that are sought, and at most as many others. `before`: what was dropped earlier. */
export function keepFirst<T>(
  items: readonly T[],
  maximum: number,
  matchesSearch: (item: T) => boolean,
  before: Trimmed,
): { readonly items: readonly T[]; readonly trimmed: Trimmed } {
  const counts = { sought: 0, others: 0 };
  const kept = items.filter((item) => (counts[matchesSearch(item) ? 'sought' : 'others'] += 1) <= maximum);
  const trimmed = {
    sought: before.sought || counts.sought > maximum,
    others: before.others || counts.others > maximum,
  };
  return { items: kept, trimmed };
}

/** "list": items were added, removed or moved, or the end of the list changed. "rows": only these items look different. */
export type ListChange =
  { readonly kind: 'list' } | { readonly kind: 'rows'; readonly ids: readonly string[] };

export interface ChangeRules<T> {
  readonly keyOf: (item: T) => string;
  /** Default: only the same object looks the same. */
  readonly looksSame?: (earlier: T, later: T) => boolean;
}

/** Returns what must be redrawn after a list was replaced; null when nothing must. */
export function changeOf<T>(
  before: Page<T>,
  after: Page<T>,
  { keyOf, looksSame = () => false }: ChangeRules<T>,
): ListChange | null {
  const keys = after.items.map(keyOf);
  const isSameList =
    before.items.length === keys.length &&
    before.items.every((item, at) => keyOf(item) === keys[at]) &&
    (before.nextCursor === null) === (after.nextCursor === null);
  if (!isSameList) return { kind: 'list' };
  const ids = after.items.flatMap((item, at) => {
    const earlier = before.items[at];
    const isSame = earlier === item || (earlier !== undefined && looksSame(earlier, item));
    return isSame ? [] : [keyOf(item)];
  });
  return ids.length > 0 ? { kind: 'rows', ids } : null;
}
