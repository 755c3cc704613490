import type { Disposable } from '../../base/disposable.ts';
import { Emitter, type Observable, ObservableValue } from '../../base/event.ts';
import type { CallOptions, Page } from '../../domain/queries.ts';
import { isServiceError, type ServiceError } from '../../domain/errors.ts';
import {
  changeOf,
  joinNewest,
  keepFirst,
  type ListChange,
  type PagedListDeps,
  type ReadPage,
  readPages,
  type Trimmed,
  untrimmed,
} from './pages.ts';

export interface PagedListState<T> {
  /** "idle": never read. */
  readonly status: 'idle' | 'loading' | 'loaded' | 'failed';
  /** True after a list was read, even an empty one. After a failure: true if there are items to show. */
  readonly hasData: boolean;
  readonly items: readonly T[];
  readonly nextCursor: string | null;
  /** The error of the last read; null after a successful one. */
  readonly error: ServiceError | null;
}

const maximumPageSize = 100;
/** The maximum number of pages in one read. */
const maximumPages = 50;
/** The maximum number of pages for what isn't shown yet: those of a service with small pages, or without an item that is sought. */
const maximumPagesAtOnce = 5;
/** The maximum number of newest pages of an append-only list that are read back. The first page is short, since usually little is new. */
const maximumHeadPages = 10;
const headSize = 25;
/**
 * How many items a list takes in front of those that were asked for before it begins anew with its first page. In a window that stays open for
 * days, a busy service has ever more, and each change of the list costs as much as it has items.
 */
const maximumGrowth = 2000;

/**
 * A list that is read page by page. A later read cancels the one in progress, unchanged items keep their identity, and the events say what
 * changed. Failed reads become state; a read only rejects when its own signal is aborted.
 */
export class PagedList<T> implements Disposable {
  readonly #deps: PagedListDeps<T> &
    Required<Pick<PagedListDeps<T>, 'accepts' | 'matchesSearch' | 'merge' | 'maximumItems'>>;
  readonly #state = new ObservableValue<PagedListState<T>>({
    status: 'idle',
    hasData: false,
    items: [],
    nextCursor: null,
    error: null,
  });
  readonly #changes = new Emitter<ListChange>();
  readonly onDidChangeItems = this.#changes.event;
  /** The items that were put or removed (null) since the current read started. They're newer than its response. */
  readonly #writes = new Map<string, T | null>();
  /** Which of them weren't in the list before. */
  readonly #inserted = new Set<string>();
  #trimmed = untrimmed;
  #newestCount = 0;
  /** How many items there were after the last read from the start or of a next page. */
  #askedCount = 0;
  #wanted = 0;
  #work = new AbortController();
  #reading: Promise<unknown> = Promise.resolve();

  constructor(deps: PagedListDeps<T>) {
    const { accepts = () => true } = deps;
    this.#deps = {
      accepts,
      matchesSearch: accepts,
      merge: (earlier) => earlier,
      maximumItems: Infinity,
      ...deps,
    };
  }

  get state(): Observable<PagedListState<T>> {
    return this.#state;
  }

  /** What was dropped because of the maximum. Without sought items the list can't continue from its end. */
  get trimmed(): Trimmed {
    return this.#trimmed;
  }

  /** How many of the first items the last read from the start returned. */
  get newestCount(): number {
    return this.#newestCount;
  }

  find(key: string): T | undefined {
    return this.#state.current.items.find((item) => this.#deps.keyOf(item) === key);
  }

  /** Reads from the start: as much as was loaded, or one page of an append-only list. */
  refresh(options: CallOptions = {}): Promise<void> {
    this.#wanted = Math.max(this.#wanted, this.#deps.pageSize);
    return this.#begin(
      (readPage) => this.#readOn(readPage, undefined, this.#wanted, this.#state.current.items.length),
      this.#anew,
      options,
    );
  }

  /** Reads the newest items, after any other read, and keeps the loaded items below them. If the two don't overlap, or are too many, the loaded items are dropped. */
  async refreshHead(options: CallOptions = {}): Promise<void> {
    // A list that is refreshed every few seconds would otherwise cancel a read that the user requested.
    for (let ended; ended !== this.#reading;) {
      ended = this.#reading;
      await ended;
    }
    this.#wanted = Math.max(this.#wanted, this.#deps.pageSize);
    await this.#begin((readPage) => this.#readHead(readPage), this.#prepend, options);
  }

  /** Reads the next page, after the current read. */
  async loadMore(options: CallOptions = {}): Promise<void> {
    await this.#reading;
    const { pageSize, maximumItems, matchesSearch } = this.#deps;
    const { nextCursor, items } = this.#state.current;
    if (nextCursor === null || items.filter(matchesSearch).length >= maximumItems) return;
    this.#wanted = items.length + pageSize;
    await this.#begin((readPage) => this.#readOn(readPage, nextCursor, pageSize), this.#append, options);
  }

  /**
   * Takes items from the newest part of a larger list, newest first. Returns false if they don't show where this list goes on, or if it has
   * grown too long, so that it must be read itself. Leaves a list that's being read alone.
   */
  adopt(newest: readonly T[]): boolean {
    const { keyOf } = this.#deps;
    const held = this.#state.current;
    if (!held.hasData || held.status === 'loading') return true;
    const items = newest.filter(this.#deps.accepts);
    if (items.length === 0) return true;
    const known = new Set(held.items.map(keyOf));
    // Items after the last held one aren't loaded yet.
    const shown = items.slice(0, items.findLastIndex((item) => known.has(keyOf(item))) + 1);
    const joined = joinNewest(held, { items: shown, nextCursor: '' }, { keyOf, isAppendOnly: false });
    if (joined === undefined || this.#isTooLong(joined)) return false;
    this.#take({ ...joined, nextCursor: held.nextCursor });
    this.#forgetWrites();
    return true;
  }

  /** Replaces the item with this key. A new item is added at the front if `mayInsert` is true. */
  put(item: T, mayInsert: boolean): void {
    const { keyOf, isAppendOnly } = this.#deps;
    const { items, status } = this.#state.current;
    const earlier = this.find(keyOf(item));
    if (earlier === undefined && !mayInsert) return;
    const merged = earlier === undefined ? item : this.#deps.merge(earlier, item);
    // An append-only list is put to for hours without a read.
    if (isAppendOnly !== true || status === 'loading') {
      this.#writes.set(keyOf(item), merged);
      if (earlier === undefined) this.#inserted.add(keyOf(item));
    }
    this.#show({
      items:
        earlier === undefined ? [merged, ...items] : items.map((each) => (each === earlier ? merged : each)),
    });
  }

  remove(key: string): void {
    this.#writes.set(key, null);
    this.#show({ items: this.#state.current.items.filter((item) => this.#deps.keyOf(item) !== key) });
  }

  /** Shows a failure of another call that also concerns this list. */
  fail(error: ServiceError): void {
    this.#show({ status: 'failed', hasData: this.#state.current.items.length > 0, error });
  }

  /** Empties the list and cancels the current read. */
  reset(): void {
    this.#work.abort();
    this.#wanted = 0;
    this.#trimmed = untrimmed;
    this.#show({ status: 'idle', hasData: false, items: [], nextCursor: null, error: null });
  }

  dispose(): void {
    this.#work.abort();
    this.#state.dispose();
    this.#changes.dispose();
  }

  /**
   * Reads this many items from a cursor, or fewer where the service's pages are small, but as many as are shown. In an append-only list,
   * reads up to the first page with an item that is sought.
   */
  #readOn(readPage: ReadPage<T>, from: string | undefined, wanted: number, shown = 0): Promise<Page<T>> {
    const { pageSize, isAppendOnly, matchesSearch, maximumItems } = this.#deps;
    if (isAppendOnly !== true)
      return readPages(readPage, {
        from,
        limit: (count) => Math.min(maximumPageSize, wanted - count),
        isEnough: ({ length }, pages) => length >= wanted || (pages >= maximumPagesAtOnce && length >= shown),
        maximumPages,
      });
    const held = from === undefined ? 0 : this.#state.current.items.filter(matchesSearch).length;
    const least = Math.min(pageSize, maximumItems - held);
    return readPages(readPage, {
      from,
      limit: () => least,
      isEnough: (items) => items.length >= least && items.some(matchesSearch),
      maximumPages: maximumPagesAtOnce,
    });
  }

  #readHead(readPage: ReadPage<T>): Promise<Page<T>> {
    const { pageSize, isAppendOnly, keyOf } = this.#deps;
    const held = new Set(this.#state.current.items.map(keyOf));
    if (isAppendOnly !== true || held.size === 0) return this.#readOn(readPage, undefined, pageSize);
    return readPages(readPage, {
      limit: (count) => (count === 0 ? headSize : pageSize),
      isEnough: (items) => items.some((item) => held.has(keyOf(item))),
      maximumPages: maximumHeadPages,
    });
  }

  readonly #anew = (page: Page<T>): Page<T> => {
    this.#trimmed = untrimmed;
    this.#newestCount = page.items.length;
    this.#askedCount = page.items.length;
    return page;
  };

  readonly #prepend = (page: Page<T>): Page<T> => {
    const { keyOf, pageSize, isAppendOnly = false } = this.#deps;
    const held = this.#state.current;
    this.#newestCount = page.items.length;
    // A page without any item of the list says nothing about the list.
    if (page.items.length === 0 && page.nextCursor !== null && held.items.length > 0) return held;
    const joined = joinNewest(held, page, { keyOf, isAppendOnly });
    if (joined !== undefined && (isAppendOnly || !this.#isTooLong(joined))) return joined;
    this.#wanted = pageSize;
    return this.#anew(page);
  };

  readonly #append = (page: Page<T>): Page<T> => {
    const items = [...this.#state.current.items, ...page.items];
    this.#askedCount = items.length;
    return { ...page, items };
  };

  #isTooLong({ items }: Page<T>): boolean {
    return items.length > this.#askedCount + maximumGrowth;
  }

  #begin(
    read: (readPage: ReadPage<T>) => Promise<Page<T>>,
    combine: (page: Page<T>) => Page<T>,
    options: CallOptions,
  ): Promise<void> {
    const reading = this.#read(read, combine, options);
    this.#reading = Promise.allSettled([reading]);
    return reading;
  }

  async #read(
    read: (readPage: ReadPage<T>) => Promise<Page<T>>,
    combine: (page: Page<T>) => Page<T>,
    options: CallOptions,
  ): Promise<void> {
    this.#work.abort();
    const work = (this.#work = new AbortController());
    const signal = options.signal ? AbortSignal.any([options.signal, work.signal]) : work.signal;
    this.#forgetWrites();
    this.#show({ status: 'loading' });
    try {
      const page = await read(this.#deps.readPage({ ...options, signal }));
      signal.throwIfAborted();
      this.#take(combine({ ...page, items: page.items.filter(this.#deps.accepts) }));
    } catch (error) {
      if (work.signal.aborted) {
        options.signal?.throwIfAborted();
        return;
      }
      if (isServiceError(error)) {
        this.fail(error);
        return;
      }
      this.#show({ status: this.#state.current.hasData ? 'loaded' : 'idle' });
      throw error;
    }
  }

  #forgetWrites(): void {
    this.#writes.clear();
    this.#inserted.clear();
  }

  #take(page: Page<T>): void {
    const { keyOf, unlisted } = this.#deps;
    const before = this.#state.current.items;
    const earlier = new Map(before.map((item) => [keyOf(item), item]));
    const listed = new Map<string, T>();
    for (const item of page.items) {
      const key = keyOf(item);
      const written = this.#writes.get(key);
      if (listed.has(key) || written === null) continue;
      const held = earlier.get(key);
      listed.set(key, written ?? (held === undefined ? item : this.#deps.merge(held, item)));
    }
    const added = before.filter((item) => this.#inserted.has(keyOf(item)) && !listed.has(keyOf(item)));
    const known = new Set([...page.items, ...added].map(keyOf));
    this.#show({
      status: 'loaded',
      hasData: true,
      items: [...added, ...(unlisted?.(known) ?? []), ...listed.values()],
      nextCursor: page.nextCursor,
      error: null,
    });
  }

  #show(change: Partial<PagedListState<T>>): void {
    const before = this.#state.current;
    const after = this.#bounded({ ...before, ...change });
    const isUnchanged =
      before.items.length === after.items.length &&
      before.items.every((item, at) => item === after.items[at]);
    this.#state.set(isUnchanged ? { ...after, items: before.items } : after);
    const drawn = changeOf(before, after, this.#deps);
    if (drawn !== null) this.#changes.fire(drawn);
  }

  #bounded(state: PagedListState<T>): PagedListState<T> {
    const { maximumItems, matchesSearch } = this.#deps;
    if (state.items.length <= maximumItems) return state;
    const { items, trimmed } = keepFirst(state.items, maximumItems, matchesSearch, this.#trimmed);
    this.#trimmed = trimmed;
    return { ...state, items, nextCursor: trimmed.sought ? null : state.nextCursor };
  }
}
