import type { Clock } from '../../base/time.ts';
import type { Disposable } from '../../base/disposable.ts';
import { type Observable, ObservableValue } from '../../base/event.ts';
import { toError } from '../../base/reason.ts';
import { foldText } from '../../domain/findText.ts';
import type { Page } from '../../domain/queries.ts';
import { PagedList } from './pagedList.ts';

export interface SearchableListState<T> {
  /** The search text; empty for everything. */
  readonly text: string;
  /** All items that were read, without duplicates, in the order of arrival, whether they match or not. The same array until more is read. */
  readonly items: readonly T[];
  /** True after the first page was read. */
  readonly hasData: boolean;
  readonly isBusy: boolean;
  /** The service may have more matching items. */
  readonly hasMore: boolean;
  /** True if the service searches for the text. */
  readonly isSearched: boolean;
  /** The error of the last read; null after a successful one. */
  readonly error: Error | null;
}

interface ListQuery {
  readonly search?: string;
  readonly cursor?: string;
}

export interface SearchableListDeps<T> {
  readonly clock: Clock;
  /** Requests the same number of items each time. */
  readonly readPage: (query: ListQuery, signal: AbortSignal) => Promise<Page<T>>;
  /** True if an item can be chosen at all; others are skipped. Default: all can. */
  readonly accepts?: (item: T) => boolean;
  /** True if an item matches the text, since the service may ignore the text. */
  readonly matches: (item: T, text: string) => boolean;
  /** True if the service may be able to search. A service that ignores the text is detected. */
  readonly canSearch: boolean;
}

/** Small pages are read together until there are so many items. */
const leastItems = 10;

/** Requests are only sent when the user pauses typing. */
const typingPauseMs = 300;

/**
 * Searches a list that is too long to read at once: the service searches it, or it's read until an item matches. Starts to read at once
 * and never requests known results again. Failures become state.
 */
export class SearchableList<T extends { readonly id: string }> implements Disposable {
  readonly #deps: SearchableListDeps<T>;
  readonly #state: ObservableValue<SearchableListState<T>>;
  /** The result lists by the text they were requested with; the one for the empty text is the list itself. */
  readonly #responses = new Map<string, PagedList<T>>();
  readonly #items = new Map<string, T>();
  #firstPage: readonly T[] | undefined;
  #work = new AbortController();
  #pause: Disposable | undefined;

  constructor(deps: SearchableListDeps<T>) {
    this.#deps = deps;
    const { canSearch } = deps;
    this.#state = new ObservableValue<SearchableListState<T>>({
      text: '',
      items: [],
      hasData: false,
      isBusy: true,
      hasMore: false,
      isSearched: canSearch,
      error: null,
    });
    void this.#read('');
  }

  get state(): Observable<SearchableListState<T>> {
    return this.#state;
  }

  /** Sets the search text. The service is queried when the user pauses typing, if it may have further items. */
  search(text: string): void {
    const wanted = text.trim();
    if (wanted === this.#state.current.text) return;
    this.#show({ text: wanted });
    // The text is searched once the first page has arrived.
    if (this.#firstPage === undefined) return;
    this.#cancel();
    this.#show({ error: null });
    this.#askAfterPause();
  }

  /** Reads the next page for the text, or retries after a failure. */
  loadMore(): void {
    this.#cancel();
    const { text } = this.#state.current;
    void this.#read(this.#isSearched(text) && this.#firstPage !== undefined ? text : '');
  }

  dispose(): void {
    this.#cancel();
    for (const list of this.#responses.values()) list.dispose();
    this.#state.dispose();
  }

  #cancel(): void {
    this.#pause?.dispose();
    this.#pause = undefined;
    this.#work.abort();
  }

  #askAfterPause(): void {
    const { text } = this.#state.current;
    const mustAsk = !this.#isWhole('') && this.#isSearched(text) && !this.#isComplete(text);
    this.#show({ isBusy: mustAsk });
    if (mustAsk) this.#pause = this.#deps.clock.schedule(() => void this.#read(text), typingPauseMs);
  }

  /** Reads the result of a text, or its next page. */
  async #read(text: string): Promise<void> {
    const { signal } = (this.#work = new AbortController());
    this.#show({ isBusy: true, error: null });
    try {
      const list = this.#response(text);
      await (list.state.current.hasData ? list.loadMore({ signal }) : list.refresh({ signal }));
      signal.throwIfAborted();
      const { error } = list.state.current;
      if (error !== null) throw error;
      this.#askAfterPause();
    } catch (error) {
      if (signal.aborted) return;
      this.#show({ isBusy: false, error: toError(error) });
    }
  }

  #response(text: string): PagedList<T> {
    const existing = this.#responses.get(text);
    if (existing) return existing;
    const { accepts = () => true } = this.#deps;
    const list = new PagedList<T>({
      keyOf: ({ id }) => id,
      pageSize: leastItems,
      readPage:
        ({ signal }) =>
        (cursor) =>
          this.#readPage(text, cursor, signal),
      accepts,
      isAppendOnly: true,
      matchesSearch: (item) => text !== '' || (accepts(item) && this.#matchesSearch(item)),
    });
    this.#responses.set(text, list);
    list.state.onDidChange(({ items }) => this.#add(items));
    return list;
  }

  /** The first page is shown as it is. */
  #matchesSearch(item: T): boolean {
    return !this.#state.current.hasData || this.#deps.matches(item, this.#state.current.text);
  }

  async #readPage(text: string, cursor: string | undefined, signal: AbortSignal): Promise<Page<T>> {
    const query = { ...(text === '' ? {} : { search: text }), ...(cursor === undefined ? {} : { cursor }) };
    const page = await this.#deps.readPage(query, signal);
    signal.throwIfAborted();
    if (text !== '' && this.#isFirstPageAgain(page.items, text)) this.#show({ isSearched: false });
    this.#firstPage ??= page.items;
    return page;
  }

  #add(items: readonly T[]): void {
    const count = this.#items.size;
    for (const item of items) if (!this.#items.has(item.id)) this.#items.set(item.id, item);
    const isUnchanged = this.#items.size === count;
    this.#show({
      hasData: this.#firstPage !== undefined,
      ...(isUnchanged ? {} : { items: [...this.#items.values()] }),
    });
  }

  /** True for the response of a service that ignores the text. */
  #isFirstPageAgain(items: readonly T[], text: string): boolean {
    const first = this.#firstPage ?? [];
    const isSame = items.length === first.length && items.every(({ id }, at) => id === first[at]?.id);
    return isSame && !items.every((item) => this.#deps.matches(item, text));
  }

  #isSearched(text: string): boolean {
    return text !== '' && this.#state.current.isSearched;
  }

  #isWhole(text: string): boolean {
    const state = this.#responses.get(text)?.state.current;
    return state?.hasData === true && state.nextCursor === null;
  }

  /** All items that match a text also match each part of it, so the result of a part may be enough. */
  #isComplete(text: string): boolean {
    const wanted = foldText(text);
    return [...this.#responses].some(([asked, list]) => {
      if (asked === '' || !list.state.current.hasData) return false;
      return asked === text || (this.#isWhole(asked) && wanted.includes(foldText(asked)));
    });
  }

  #hasMore(text: string): boolean {
    if (this.#firstPage === undefined || this.#isWhole('')) return false;
    if (!this.#isSearched(text) || !this.#isComplete(text)) return true;
    return (this.#responses.get(text)?.state.current.nextCursor ?? null) !== null;
  }

  #show(change: Partial<SearchableListState<T>>): void {
    const next = { ...this.#state.current, ...change };
    this.#state.set({ ...next, hasMore: this.#hasMore(next.text) });
  }
}
