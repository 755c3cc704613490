// The search that the Executions view shows in place of its list.
import { unlessAborted } from '../../../base/async.ts';
import { type Disposable, DisposableStore } from '../../../base/disposable.ts';
import { type Observable, ObservableValue } from '../../../base/event.ts';
import type { Clock } from '../../../base/time.ts';
import type { Execution } from '../../../domain/execution.ts';
import type { SearchFilter } from '../../../domain/search.ts';
import type { ExecutionTarget } from '../../../domain/targets.ts';
import type { Connections } from '../../../model/connections/connections.ts';
import { watchAccount } from '../../../model/connections/watchAccount.ts';
import type { ExecutionSearch, SearchState } from '../../../model/search/executionSearch.ts';
import type { ExecutionSearches } from '../../../model/search/executionSearches.ts';
import { maximumFound } from '../../../model/search/searchWork.ts';
import { readSearch } from '../../../model/search/searchQuery.ts';

export interface SearchInView {
  readonly connectionId: string;
  /** As it was written. */
  readonly query: string;
  readonly filter: SearchFilter;
  readonly state: SearchState;
}

export interface ShownSearchDeps {
  readonly connections: Pick<Connections, 'active' | 'onDidChangeKey'>;
  readonly searches: Pick<ExecutionSearches, 'begin'>;
  readonly clock: Pick<Clock, 'now'>;
}

/** At most one search at a time. Another connection or another key ends it. */
export class ShownSearch implements Disposable {
  readonly #deps: ShownSearchDeps;
  readonly #owned = new DisposableStore();
  readonly #shown = this.#owned.add(new ObservableValue<SearchInView | null>(null));
  #search: ExecutionSearch | undefined;
  /** The found executions by their ids, and how many of the list it has. */
  #byId = new Map<string, Execution>();
  #counted = 0;

  constructor(deps: ShownSearchDeps) {
    this.#deps = deps;
    const clear = (): void => this.clear();
    this.#owned.add(watchAccount(deps.connections, clear, clear));
  }

  /** null: the view shows its list. */
  get shown(): Observable<SearchInView | null> {
    return this.#shown;
  }

  /** Begins a search in place of the one before. Throws a SearchError if the query has mistakes. */
  begin(connectionId: string, query: string): void {
    const { clock, searches } = this.#deps;
    const filter = readSearch(query, clock);
    this.#end();
    const search = searches.begin(connectionId, filter);
    this.#search = search;
    const show = (state: SearchState): void => {
      this.#count(state);
      this.#shown.set({ connectionId, query, filter, state });
    };
    show(search.state.current);
    search.state.onDidChange(show);
  }

  /** Returns the record of a found execution, with its places, as it was when it was found. */
  find({ connectionId, executionId }: ExecutionTarget): Execution | undefined {
    return this.#shown.current?.connectionId === connectionId ? this.#byId.get(executionId) : undefined;
  }

  pause(): void {
    this.#search?.pause();
  }

  goOn(): void {
    this.#search?.goOn();
  }

  cancel(): void {
    this.#search?.cancel();
  }

  more(): void {
    this.#search?.more();
  }

  /**
   * Searches to the end, if the search has stopped at what was wanted so far. Resolves with false if it isn't shown any more. Rejects with the
   * signal's reason, and then searches no further.
   */
  async loadAll(signal: AbortSignal): Promise<boolean> {
    const search = this.#search;
    if (search === undefined) return false;
    search.more(maximumFound);
    try {
      await unlessAborted(this.#untilRest(search), signal);
    } finally {
      if (signal.aborted) search.cancel();
    }
    return search === this.#search;
  }

  clear(): void {
    this.#end();
    this.#shown.set(null);
  }

  dispose(): void {
    this.#end();
    this.#owned.dispose();
  }

  /** Resolves when the search doesn't search, or another one is shown in its place. */
  #untilRest(search: ExecutionSearch): Promise<void> {
    return new Promise((resolve) => {
      const look = (): void => {
        if (search === this.#search && search.state.current.status === 'searching') return;
        watching.dispose();
        resolve();
      };
      const watching = this.#shown.onDidChange(look);
      look();
    });
  }

  #end(): void {
    this.#search?.dispose();
    this.#search = undefined;
    this.#byId = new Map();
    this.#counted = 0;
  }

  #count({ found }: SearchState): void {
    for (const execution of found.slice(this.#counted)) this.#byId.set(execution.id, execution);
    this.#counted = found.length;
  }
}
