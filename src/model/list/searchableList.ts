// A list too long to read at once, from which somebody chooses: the service searches it where it can, else it is read on; thrifty either way.
import type { Disposable } from '../../base/disposable.ts';
import { type Observable, ObservableValue } from '../../base/observable.ts';
import type { Clock } from '../ports.ts';
import type { Page } from '../../domain/queries.ts';

export interface SearchableListState<T> {
  /** What is looked for; empty for everything. */
  readonly text: string;
  /** All that was read, each once, in the order it came. Whoever shows them holds them to the text. */
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
  /** Always with the same number of items wanted. */
  readonly readPage: (query: ListQuery, signal: AbortSignal) => Promise<Page<T>>;
  /** Whether an item can be chosen at all; others are read past. Default: each. */
  readonly accepts?: (item: T) => boolean;
  /** Whether an item is what the text looks for; a service may not heed what it is asked. */
  readonly matches: (item: T, text: string) => boolean;
  /** Whether the service has a search to be asked. One that does not heed it is found out. */
  readonly canSearch: boolean;
}

/** Nobody who is still typing is served by an answer. */
const typingPauseMs = 300;
/** Reading on goes through this many pages without a match at most before it asks whether to go on. */
const maximumPagesAtOnce = 5;

/** Begins to read at once. Failures become state; nothing is asked for once all is known. */
export class SearchableList<T extends { readonly id: string }> implements Disposable {
  readonly #deps: SearchableListDeps<T>;
  readonly #state: ObservableValue<SearchableListState<T>>;
  readonly #items = new Map<string, T>();
  /** Where the list itself goes on: undefined before its first page, null at its end. */
  #cursor: string | null | undefined;
  #firstPage: readonly string[] = [];
  /** What was searched for, and where each answer goes on. */
  readonly #answers = new Map<string, string | null>();
  #canSearch: boolean;
  #work = new AbortController();
  #pause: Disposable | undefined;

  constructor(deps: SearchableListDeps<T>) {
    this.#deps = deps;
    this.#canSearch = deps.canSearch;
    this.#state = new ObservableValue<SearchableListState<T>>({
      text: '',
      items: [],
      hasData: false,
      isBusy: true,
      hasMore: false,
      error: null,
      isSearched: this.#canSearch,
    });
    this.#begin((signal) => this.#readFirst(signal));
  }

  get state(): Observable<SearchableListState<T>> {
    return this.#state;
  }

  /** Looks for a text from now on; the service is asked once typing pauses, if it can tell more than is known. */
  search(text: string): void {
    const wanted = text.trim();
    if (wanted === this.#state.current.text) return;
    this.#show({ text: wanted });
    // The first page goes on with the text when it is there.
    if (this.#cursor === undefined) return;
    this.#cancel();
    this.#show({ error: null });
    this.#askAfterPause();
  }

  /** Reads what comes next for the text, or tries again what failed. */
  loadMore(): void {
    this.#cancel();
    this.#begin((signal) => this.#readOn(signal));
  }

  dispose(): void {
    this.#cancel();
    this.#state.dispose();
  }

  #cancel(): void {
    this.#pause?.dispose();
    this.#pause = undefined;
    this.#work.abort();
  }

  #begin(read: (signal: AbortSignal) => Promise<void>): void {
    this.#work = new AbortController();
    this.#show({ isBusy: true, error: null });
    void this.#run(read, this.#work.signal);
  }

  async #run(read: (signal: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<void> {
    try {
      await read(signal);
      this.#askAfterPause();
    } catch (error) {
      if (signal.aborted) return;
      this.#show({ isBusy: false, error: error instanceof Error ? error : new Error(String(error)) });
    }
  }

  #askAfterPause(): void {
    const { text } = this.#state.current;
    const mustAsk = this.#cursor !== null && this.#isSearched(text) && !this.#isAnswered(text);
    this.#show({ isBusy: mustAsk });
    if (!mustAsk) return;
    this.#pause = this.#deps.clock.schedule(
      () => this.#begin((signal) => this.#search(text, signal)),
      typingPauseMs,
    );
  }

  #readOn(signal: AbortSignal): Promise<void> {
    const { text } = this.#state.current;
    if (this.#cursor === undefined) return this.#readFirst(signal);
    return this.#isSearched(text) ? this.#search(text, signal) : this.#readList(text, signal);
  }

  async #readFirst(signal: AbortSignal): Promise<void> {
    const { items, nextCursor } = await this.#readPage({}, signal);
    this.#cursor = nextCursor;
    this.#firstPage = items.map(({ id }) => id);
    this.#add(items);
    const { text } = this.#state.current;
    if (this.#items.size === 0 && !this.#isSearched(text)) await this.#readList(text, signal);
  }

  async #search(text: string, signal: AbortSignal): Promise<void> {
    const cursor = this.#answers.get(text);
    const page = await this.#readPage({ search: text, ...(cursor ? { cursor } : {}) }, signal);
    if (this.#isFirstPageAgain(page, text)) this.#canSearch = false;
    else this.#answers.set(text, page.nextCursor);
    this.#add(page.items);
  }

  /** Reads the list on until something that can be chosen matches. */
  async #readList(text: string, signal: AbortSignal): Promise<void> {
    for (let pages = 0; pages < maximumPagesAtOnce && this.#cursor; pages += 1) {
      const { items, nextCursor } = await this.#readPage({ cursor: this.#cursor }, signal);
      this.#cursor = nextCursor;
      const accepted = this.#add(items);
      if (accepted.some((item) => this.#deps.matches(item, text))) return;
    }
  }

  /** One page; its end is told also where a service goes on without end. */
  async #readPage(query: ListQuery, signal: AbortSignal): Promise<Page<T>> {
    const page = await this.#deps.readPage(query, signal);
    signal.throwIfAborted();
    const isEnd = page.items.length === 0 || page.nextCursor === query.cursor;
    return isEnd ? { ...page, nextCursor: null } : page;
  }

  /** Answers those that can be chosen. */
  #add(items: readonly T[]): readonly T[] {
    const { accepts = () => true } = this.#deps;
    const accepted = items.filter(accepts);
    for (const item of accepted) this.#items.set(item.id, this.#items.get(item.id) ?? item);
    this.#show({ hasData: true, items: [...this.#items.values()] });
    return accepted;
  }

  #isSearched(text: string): boolean {
    return text !== '' && this.#canSearch;
  }

  /** All that matches a text also matches each part of it. */
  #isAnswered(text: string): boolean {
    const wanted = text.toLowerCase();
    return [...this.#answers].some(
      ([asked, cursor]) => asked === text || (cursor === null && wanted.includes(asked.toLowerCase())),
    );
  }

  /** The answer of a service that does not heed the search. */
  #isFirstPageAgain({ items }: Page<T>, text: string): boolean {
    const isSame =
      items.length === this.#firstPage.length && items.every(({ id }, at) => id === this.#firstPage[at]);
    return isSame && !items.every((item) => this.#deps.matches(item, text));
  }

  #hasMore(text: string): boolean {
    if (!this.#cursor) return false;
    return !this.#isSearched(text) || !this.#isAnswered(text) || Boolean(this.#answers.get(text));
  }

  #show(change: Partial<SearchableListState<T>>): void {
    const next = { ...this.#state.current, ...change };
    this.#state.set({ ...next, hasMore: this.#hasMore(next.text), isSearched: this.#canSearch });
  }
}
