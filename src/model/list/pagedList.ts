import type { Disposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import { type Observable, ObservableValue } from '../../base/observable.ts';
import type { CallOptions, Page } from '../../domain/queries.ts';
import { isServiceError, type ServiceError } from '../../domain/serviceError.ts';
import { changeOf, joinNewest, type ListChange, type PageReader, readPages } from './pages.ts';

export interface PagedListState<T> {
  /** "idle": never read. */
  readonly status: 'idle' | 'loading' | 'loaded' | 'failed';
  /** A list was read, be it empty; after a failure: there are items to show. */
  readonly hasData: boolean;
  readonly items: readonly T[];
  readonly nextCursor: string | null;
  /** Of the last read; null after a good one. */
  readonly error: ServiceError | null;
}

export interface PagedListDeps<T> {
  readonly keyOf: (item: T) => string;
  /** How many items are read at first, and with each "more". */
  readonly pageSize: number;
  readonly readPage: (options: CallOptions & { readonly signal: AbortSignal }) => PageReader<T>;
  /** Whether an item belongs to the list; a service may answer more than it was asked for. Default: each does. */
  readonly accepts?: (item: T) => boolean;
  /** The earlier item itself when the later one adds nothing. Default: always the earlier one. */
  readonly merge?: (earlier: T, later: T) => T;
  readonly looksSame?: (earlier: T, later: T) => boolean;
  /** Items that the service may not list yet and that stay in front until it does. */
  readonly unlisted?: (listed: ReadonlySet<string>) => readonly T[];
  /**
   * Items neither change nor go. Such a list is read one page at a time, on to the first that holds an item that is sought, and its
   * newest pages back to where they meet what is held. Any other is read again as far as it is shown. Default: false.
   */
  readonly isAppendOnly?: boolean;
  /** Whether an item of an append-only list ends a read. Default: as `accepts`. */
  readonly isSought?: (item: T) => boolean;
  /** How many items are kept; what is beyond is let go of. Default: all. */
  readonly maximumItems?: number;
}

const maximumPageSize = 100;
/** Pages that one read takes at most to gather the items wanted. */
const maximumPages = 50;
/** Pages of an append-only list that are read at once at most while none holds what is sought. */
const maximumPagesAtOnce = 5;
/** Pages that are read back at most from the newest of an append-only list; the first is short, since mostly little is new. */
const maximumHeadPages = 10;
const headSize = 25;

/**
 * A list that is read page by page. A later read cancels the one under way, unchanged items keep their identity, and only what changed is told.
 * Failures of reading become state; reads reject only when they are cancelled by their own signal.
 */
export class PagedList<T> implements Disposable {
  readonly #deps: PagedListDeps<T>;
  readonly #state = new ObservableValue<PagedListState<T>>({
    status: 'idle',
    hasData: false,
    items: [],
    nextCursor: null,
    error: null,
  });
  readonly #changes = new Emitter<ListChange>();
  readonly onDidChangeItems = this.#changes.event;
  /** What was put or removed (null) since the read under way began: it is newer than that read's answer. */
  readonly #writes = new Map<string, T | null>();
  #isTrimmed = false;
  #wanted = 0;
  #work = new AbortController();
  #reading: Promise<unknown> = Promise.resolve();

  constructor(deps: PagedListDeps<T>) {
    this.#deps = deps;
  }

  get state(): Observable<PagedListState<T>> {
    return this.#state;
  }

  /** Items were let go of to stay within the maximum, so the list does not go on from its end. */
  get isTrimmed(): boolean {
    return this.#isTrimmed;
  }

  find(key: string): T | undefined {
    return this.#state.current.items.find((item) => this.#deps.keyOf(item) === key);
  }

  /** Reads from the start: as much as was loaded, or one page of an append-only list. */
  refresh(options: CallOptions = {}): Promise<void> {
    this.#wanted = Math.max(this.#wanted, this.#deps.pageSize);
    const anew = (page: Page<T>): Page<T> => {
      this.#isTrimmed = false;
      return page;
    };
    return this.#begin((readPage) => this.#readOn(readPage, undefined, this.#wanted), anew, options);
  }

  /** Reads the newest and keeps what is loaded below it; all the rest goes when the two no longer meet. */
  async refreshHead(options: CallOptions = {}): Promise<void> {
    const { isAppendOnly, pageSize } = this.#deps;
    // A list that is caught up every few seconds would else cancel what the user asked for.
    if (isAppendOnly) await this.#reading;
    this.#wanted = Math.max(this.#wanted, pageSize);
    await this.#begin((readPage) => this.#readHead(readPage), this.#prepend, options);
  }

  /** Reads the next page, after the read that may be under way. */
  async loadMore(options: CallOptions = {}): Promise<void> {
    await this.#reading;
    const { pageSize, maximumItems = Infinity } = this.#deps;
    const { nextCursor, items } = this.#state.current;
    if (nextCursor === null || items.length >= maximumItems) return;
    this.#wanted = items.length + pageSize;
    await this.#begin((readPage) => this.#readOn(readPage, nextCursor, pageSize), this.#append, options);
  }

  /** Replaces the item with this key; a new one goes in front when it may be inserted. */
  put(item: T, mayInsert: boolean): void {
    const { keyOf } = this.#deps;
    const { items } = this.#state.current;
    const earlier = this.find(keyOf(item));
    if (earlier === undefined && !mayInsert) return;
    const merged = earlier === undefined ? item : this.#merge(earlier, item);
    this.#writes.set(keyOf(item), merged);
    this.#show({
      items:
        earlier === undefined ? [merged, ...items] : items.map((each) => (each === earlier ? merged : each)),
    });
  }

  remove(key: string): void {
    this.#writes.set(key, null);
    this.#show({ items: this.#state.current.items.filter((item) => this.#deps.keyOf(item) !== key) });
  }

  /** Takes over a failure that another call met and that concerns this list as well. */
  fail(error: ServiceError): void {
    this.#show({ status: 'failed', hasData: this.#state.current.items.length > 0, error });
  }

  /** Empties the list and cancels the read under way. */
  reset(): void {
    this.#work.abort();
    this.#wanted = 0;
    this.#isTrimmed = false;
    this.#show({ status: 'idle', hasData: false, items: [], nextCursor: null, error: null });
  }

  dispose(): void {
    this.#work.abort();
    this.#state.dispose();
    this.#changes.dispose();
  }

  #merge(earlier: T, later: T): T {
    return this.#deps.merge?.(earlier, later) ?? earlier;
  }

  #accepts(item: T): boolean {
    return this.#deps.accepts?.(item) ?? true;
  }

  /** Reads so many items on from a cursor; of an append-only list, on to the first page that holds what is sought. */
  #readOn(readPage: PageReader<T>, from: string | undefined, wanted: number): Promise<Page<T>> {
    const { pageSize, isAppendOnly, isSought, maximumItems = Infinity } = this.#deps;
    if (isAppendOnly !== true)
      return readPages(readPage, {
        from,
        limit: (count) => Math.min(maximumPageSize, wanted - count),
        isEnough: ({ length }) => length >= wanted,
        maximumPages,
      });
    const held = from === undefined ? 0 : this.#state.current.items.length;
    return readPages(readPage, {
      from,
      limit: () => Math.min(pageSize, maximumItems - held),
      isEnough: (items) => items.some(isSought ?? ((item) => this.#accepts(item))),
      maximumPages: maximumPagesAtOnce,
    });
  }

  #readHead(readPage: PageReader<T>): Promise<Page<T>> {
    const { pageSize, isAppendOnly, keyOf } = this.#deps;
    if (isAppendOnly !== true) return this.#readOn(readPage, undefined, pageSize);
    const held = new Set(this.#state.current.items.map(keyOf));
    return readPages(readPage, {
      limit: (count) => (count === 0 && held.size > 0 ? headSize : pageSize),
      isEnough: (items) => held.size === 0 || items.some((item) => held.has(keyOf(item))),
      maximumPages: maximumHeadPages,
    });
  }

  readonly #prepend = (page: Page<T>): Page<T> => {
    const { keyOf, pageSize, isAppendOnly = false } = this.#deps;
    const held = this.#state.current;
    // A page on which nothing belongs to the list tells nothing about it.
    if (page.items.length === 0 && page.nextCursor !== null && held.items.length > 0) return held;
    const joined = joinNewest(held, page, { keyOf, isAppendOnly });
    if (joined !== undefined) return joined;
    this.#wanted = pageSize;
    this.#isTrimmed = false;
    return page;
  };

  readonly #append = (page: Page<T>): Page<T> => ({
    ...page,
    items: [...this.#state.current.items, ...page.items],
  });

  #begin(
    read: (readPage: PageReader<T>) => Promise<Page<T>>,
    combine: (page: Page<T>) => Page<T>,
    options: CallOptions,
  ): Promise<void> {
    const reading = this.#read(read, combine, options);
    this.#reading = Promise.allSettled([reading]);
    return reading;
  }

  async #read(
    read: (readPage: PageReader<T>) => Promise<Page<T>>,
    combine: (page: Page<T>) => Page<T>,
    options: CallOptions,
  ): Promise<void> {
    this.#work.abort();
    const work = (this.#work = new AbortController());
    const signal = options.signal ? AbortSignal.any([options.signal, work.signal]) : work.signal;
    this.#writes.clear();
    this.#show({ status: 'loading' });
    try {
      const page = await read(this.#deps.readPage({ ...options, signal }));
      signal.throwIfAborted();
      this.#take(combine({ ...page, items: page.items.filter((item) => this.#accepts(item)) }));
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
      listed.set(key, written ?? (held === undefined ? item : this.#merge(held, item)));
    }
    const added = before.filter((item) => this.#writes.get(keyOf(item)) && !listed.has(keyOf(item)));
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
    const { maximumItems = Infinity } = this.#deps;
    if (state.items.length <= maximumItems) return state;
    this.#isTrimmed = true;
    return { ...state, items: state.items.slice(0, maximumItems), nextCursor: null };
  }
}
