// One list read page by page, where late answers are dropped, unchanged items stay identical, and only what changed is told.
import type { Disposable } from '../base/disposable.ts';
import { Emitter } from '../base/event.ts';
import { type Observable, ObservableValue } from '../base/observable.ts';
import { isServiceError, type ServiceError } from '../domain/serviceError.ts';
import { type PageReader, readPages } from './pages.ts';
import type { CallOptions, Page } from '../domain/queries.ts';

export interface PagedListState<T> {
  /** "idle": never asked; the view asks. */
  readonly status: 'idle' | 'loading' | 'loaded' | 'failed';
  /** A list was read, be it empty; after a failure: there are items to show. */
  readonly hasData: boolean;
  readonly items: readonly T[];
  readonly nextCursor: string | null;
  /** Of the last read; null after a good one. */
  readonly error: ServiceError | null;
}

/** "list": items came, went or moved, or the end of the list did. "rows": only these items look different. */
export type PagedListChange =
  { readonly kind: 'list' } | { readonly kind: 'rows'; readonly ids: readonly string[] };

export interface PagedListDeps<T> {
  /** How many items are read at first, and with each "more". */
  readonly pageSize: number;
  readonly readPage: (options: CallOptions) => PageReader<T>;
  /** Whether an item belongs to the list; a service may answer more than it was asked for. */
  readonly accepts: (item: T) => boolean;
  /** The earlier item itself when the later one adds nothing. */
  readonly merge: (earlier: T, later: T) => T;
  readonly looksSame: (earlier: T, later: T) => boolean;
  /** Items that the service may not list yet and that stay in front until it does. */
  readonly unlisted?: (listed: ReadonlySet<string>) => readonly T[];
}

/** See the file's first line. Failures of reading become state; reads reject only when cancelled. */
export class PagedList<T extends { readonly id: string }> implements Disposable {
  readonly #deps: PagedListDeps<T>;
  readonly #state = new ObservableValue<PagedListState<T>>({
    status: 'idle',
    hasData: false,
    items: [],
    nextCursor: null,
    error: null,
  });
  readonly #changes = new Emitter<PagedListChange>();
  readonly onDidChangeItems = this.#changes.event;
  /** What was put or removed since the read under way began; it is newer than that read's answer. */
  readonly #writes = new Map<string, T | null>();
  #turn = 0;
  #wanted = 0;
  #reading: Promise<unknown> = Promise.resolve();

  constructor(deps: PagedListDeps<T>) {
    this.#deps = deps;
  }

  get state(): Observable<PagedListState<T>> {
    return this.#state;
  }

  find(id: string): T | undefined {
    return this.#state.current.items.find((item) => item.id === id);
  }

  /** Reads again as much as was loaded. A later read makes an earlier one's answer void. */
  refresh(options: CallOptions = {}): Promise<void> {
    this.#wanted = Math.max(this.#wanted, this.#deps.pageSize);
    const answer = readPages(this.#deps.readPage(options), undefined, this.#wanted);
    return this.#begin(answer, (page) => page, options.signal);
  }

  /** Reads the first page only and keeps what is loaded below it; all the rest goes when the two no longer meet. */
  refreshHead(options: CallOptions = {}): Promise<void> {
    const { pageSize, readPage } = this.#deps;
    this.#wanted = Math.max(this.#wanted, pageSize);
    const answer = readPages(readPage(options), undefined, pageSize);
    return this.#begin(answer, this.#prepend, options.signal);
  }

  /** Reads the next page, after the read that may be under way. */
  async loadMore(options: CallOptions = {}): Promise<void> {
    await this.#reading;
    const { nextCursor, items } = this.#state.current;
    if (nextCursor === null) return;
    const { pageSize, readPage } = this.#deps;
    this.#wanted = items.length + pageSize;
    const answer = readPages(readPage(options), nextCursor, pageSize);
    await this.#begin(answer, this.#append, options.signal);
  }

  /** Replaces the item with this id; a new one goes in front when it may be inserted. */
  put(item: T, mayInsert: boolean): void {
    const { items } = this.#state.current;
    const earlier = this.find(item.id);
    if (!earlier && !mayInsert) return;
    const merged = earlier ? this.#deps.merge(earlier, item) : item;
    this.#writes.set(item.id, merged);
    this.#show({
      items: earlier ? items.map((each) => (each === earlier ? merged : each)) : [merged, ...items],
    });
  }

  remove(id: string): void {
    this.#writes.set(id, null);
    this.#show({ items: this.#state.current.items.filter((item) => item.id !== id) });
  }

  /** Takes over a failure that another call met and that concerns this list as well. */
  fail(error: ServiceError): void {
    this.#show({ status: 'failed', hasData: this.#state.current.items.length > 0, error });
  }

  /** Empties the list and makes the read under way void. */
  reset(): void {
    this.#turn += 1;
    this.#wanted = 0;
    this.#show({ status: 'idle', hasData: false, items: [], nextCursor: null, error: null });
  }

  dispose(): void {
    this.#turn += 1;
    this.#state.dispose();
    this.#changes.dispose();
  }

  readonly #prepend = (page: Page<T>): Page<T> => {
    const { items, nextCursor } = this.#state.current;
    if (page.nextCursor === null) return page;
    const read = new Set(page.items.map(({ id }) => id));
    const meeting = items.findLastIndex(({ id }) => read.has(id));
    if (meeting >= 0) return { items: [...page.items, ...items.slice(meeting + 1)], nextCursor };
    // Of a page on which nothing belongs to the list, nothing can be told.
    if (page.items.length === 0 && items.length > 0) return { items, nextCursor };
    this.#wanted = this.#deps.pageSize;
    return page;
  };

  readonly #append = (page: Page<T>): Page<T> => {
    const { items } = this.#state.current;
    return { ...page, items: [...items, ...page.items.filter(({ id }) => !this.find(id))] };
  };

  #begin(answer: Promise<Page<T>>, combine: (page: Page<T>) => Page<T>, signal?: AbortSignal): Promise<void> {
    const reading = this.#read(answer, combine, signal);
    this.#reading = Promise.allSettled([reading]);
    return reading;
  }

  async #read(
    answer: Promise<Page<T>>,
    combine: (page: Page<T>) => Page<T>,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const turn = (this.#turn += 1);
    this.#writes.clear();
    this.#show({ status: 'loading' });
    try {
      const page = await answer;
      signal?.throwIfAborted();
      if (turn !== this.#turn) return;
      this.#take(combine({ ...page, items: page.items.filter(this.#deps.accepts) }));
    } catch (error) {
      // The failure of a read that was overtaken concerns nobody but the one who cancelled it.
      if (turn !== this.#turn && signal?.aborted !== true) return;
      const { hasData } = this.#state.current;
      const isFailure = isServiceError(error);
      if (turn === this.#turn && isFailure) this.fail(error);
      if (turn === this.#turn && !isFailure) this.#show({ status: hasData ? 'loaded' : 'idle' });
      if (!isFailure) throw error;
    }
  }

  #take(page: Page<T>): void {
    const listed = new Set(page.items.map(({ id }) => id));
    const kept = page.items.flatMap((item) => {
      const written = this.#writes.get(item.id);
      if (written === null) return [];
      const earlier = this.find(item.id);
      return [written ?? (earlier ? this.#deps.merge(earlier, item) : item)];
    });
    const added = this.#state.current.items.filter(({ id }) => this.#writes.get(id) && !listed.has(id));
    for (const { id } of added) listed.add(id);
    this.#show({
      status: 'loaded',
      hasData: true,
      items: [...added, ...(this.#deps.unlisted?.(listed) ?? []), ...kept],
      nextCursor: page.nextCursor,
      error: null,
    });
  }

  #show(change: Partial<PagedListState<T>>): void {
    const before = this.#state.current;
    const after = { ...before, ...change };
    this.#state.set(after);
    const isSameList =
      before.items.length === after.items.length &&
      before.items.every(({ id }, at) => id === after.items[at]?.id) &&
      (before.nextCursor === null) === (after.nextCursor === null);
    if (!isSameList) {
      this.#changes.fire({ kind: 'list' });
      return;
    }
    const ids = after.items.flatMap((item, at) => {
      const earlier = before.items[at];
      return earlier === item || (earlier && this.#deps.looksSame(earlier, item)) ? [] : [item.id];
    });
    if (ids.length > 0) this.#changes.fire({ kind: 'rows', ids });
  }
}
