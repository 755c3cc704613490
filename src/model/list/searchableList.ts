import type { Clock } from '../../base/time.ts';
import type { Disposable } from '../../base/disposable.ts';
import { type Observable, ObservableValue } from '../../base/observable.ts';
import type { Page } from '../../domain/queries.ts';
import { PagedList } from './pagedList.ts';

export interface SearchableListState<T> {
  /** What is looked for; empty for everything. */
  readonly text: string;
  /** All that was read, each once, in the order it came, whether it matches the text or not. The same array until more is read. */
  readonly items: readonly T[];
  /** The first page was read. */
  readonly hasData: boolean;
  readonly isBusy: boolean;
  /** The service may have more that matches than was read. */
  readonly hasMore: boolean;
  /** The service is asked for the text. */
  readonly isSearched: boolean;
  /** Of the last read; null after a good one. */
  readonly error: Error | null;
}

interface ListQuery {
  readonly search?: string;
  readonly cursor?: string;
}

export interface SearchableListDeps<T> {
  readonly clock: Clock;
  /** Asks for the same number of items each time. */
  readonly readPage: (query: ListQuery, signal: AbortSignal) => Promise<Page<T>>;
  /** Whether an item can be chosen at all; others are read past. Default: each. */
  readonly accepts?: (item: T) => boolean;
  /** Whether an item is what the text looks for; the service may ignore the text. */
  readonly matches: (item: T, text: string) => boolean;
  /** Whether the service can be asked to search. One that ignores it is found out. */
  readonly canSearch: boolean;
}

/** The service is asked only once typing pauses. */
const typingPauseMs = 300;

/**
 * A list too long to read at once, of which some item is looked for: the service searches it, or it is read on until an item matches.
 * Begins to read at once and asks for nothing that is known already. Failures become state.
 */
export class SearchableList<T extends { readonly id: string }> implements Disposable {
  readonly #deps: SearchableListDeps<T>;
  readonly #state: ObservableValue<SearchableListState<T>>;
  /** The answers to the texts that the service was asked for; that to the empty text is the list itself. */
  readonly #answers = new Map<string, PagedList<T>>();
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

  /** Looks for a text from now on; the service is asked once typing pauses, if it can tell more than is known. */
  search(text: string): void {
    const wanted = text.trim();
    if (wanted === this.#state.current.text) return;
    this.#show({ text: wanted });
    // The text is asked for once the first page is there.
    if (this.#firstPage === undefined) return;
    this.#cancel();
    this.#show({ error: null });
    this.#askAfterPause();
  }

  /** Reads what comes next for the text, or tries again what failed. */
  loadMore(): void {
    this.#cancel();
    const { text } = this.#state.current;
    void this.#read(this.#isSearched(text) && this.#firstPage !== undefined ? text : '');
  }

  dispose(): void {
    this.#cancel();
    for (const list of this.#answers.values()) list.dispose();
    this.#state.dispose();
  }

  #cancel(): void {
    this.#pause?.dispose();
    this.#pause = undefined;
    this.#work.abort();
  }

  #askAfterPause(): void {
    const { text } = this.#state.current;
    const mustAsk = !this.#isWhole('') && this.#isSearched(text) && !this.#isAnswered(text);
    this.#show({ isBusy: mustAsk });
    if (mustAsk) this.#pause = this.#deps.clock.schedule(() => void this.#read(text), typingPauseMs);
  }

  /** Reads the answer to a text, or the next page of it. */
  async #read(text: string): Promise<void> {
    const { signal } = (this.#work = new AbortController());
    this.#show({ isBusy: true, error: null });
    try {
      const list = this.#answer(text);
      await (list.state.current.hasData ? list.loadMore({ signal }) : list.refresh({ signal }));
      signal.throwIfAborted();
      const { error } = list.state.current;
      if (error !== null) throw error;
      this.#askAfterPause();
    } catch (error) {
      if (signal.aborted) return;
      this.#show({ isBusy: false, error: error instanceof Error ? error : new Error(String(error)) });
    }
  }

  #answer(text: string): PagedList<T> {
    const existing = this.#answers.get(text);
    if (existing) return existing;
    const { accepts = () => true } = this.#deps;
    const list = new PagedList<T>({
      keyOf: ({ id }) => id,
      // How many items a page has is for the caller to say.
      pageSize: 1,
      readPage:
        ({ signal }) =>
        (cursor) =>
          this.#readPage(text, cursor, signal),
      accepts,
      isAppendOnly: true,
      isSought: (item) => text !== '' || (accepts(item) && this.#isSought(item)),
    });
    this.#answers.set(text, list);
    list.state.onDidChange(({ items }) => this.#add(items));
    return list;
  }

  /** The first page is taken as it is. */
  #isSought(item: T): boolean {
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

  /** True for the answer of a service that ignores the text. */
  #isFirstPageAgain(items: readonly T[], text: string): boolean {
    const first = this.#firstPage ?? [];
    const isSame = items.length === first.length && items.every(({ id }, at) => id === first[at]?.id);
    return isSame && !items.every((item) => this.#deps.matches(item, text));
  }

  #isSearched(text: string): boolean {
    return text !== '' && this.#state.current.isSearched;
  }

  #isWhole(text: string): boolean {
    const state = this.#answers.get(text)?.state.current;
    return state?.hasData === true && state.nextCursor === null;
  }

  /** All that matches a text also matches each part of it. */
  #isAnswered(text: string): boolean {
    const wanted = text.toLowerCase();
    return [...this.#answers].some(([asked, list]) => {
      if (asked === '' || !list.state.current.hasData) return false;
      return asked === text || (this.#isWhole(asked) && wanted.includes(asked.toLowerCase()));
    });
  }

  #hasMore(text: string): boolean {
    if (this.#firstPage === undefined || this.#isWhole('')) return false;
    if (!this.#isSearched(text) || !this.#isAnswered(text)) return true;
    return (this.#answers.get(text)?.state.current.nextCursor ?? null) !== null;
  }

  #show(change: Partial<SearchableListState<T>>): void {
    const next = { ...this.#state.current, ...change };
    this.#state.set({ ...next, hasMore: this.#hasMore(next.text) });
  }
}
