// How many executions the saved searches find that are counted in the badge.
import { isAbortError } from '../../base/async.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { type Observable, ObservableValue } from '../../base/event.ts';
import { Pulse } from '../../base/pulse.ts';
import type { Clock } from '../../base/time.ts';
import { isServiceError, SearchError } from '../../domain/errors.ts';
import type { SearchFilter } from '../../domain/search.ts';
import type { Connections } from '../connections/connections.ts';
import { watchAccount } from '../connections/watchAccount.ts';
import type { Executions } from '../executions/executions.ts';
import type { ExecutionSearches } from './executionSearches.ts';
import type { SavedSearches } from './savedSearches.ts';
import { searchExecutions } from './searchExecutions.ts';

/** A search counts no further. */
const maximumCount = 100;
/** What ended is counted soon, and what has become too old for a search each minute. */
const soonMs = 5_000;
const againMs = 60_000;

/** How many executions a search found. */
export interface SearchCount {
  readonly count: number;
  readonly hasMore: boolean;
}

export interface SearchCountsDeps {
  readonly clock: Clock;
  readonly connections: Pick<Connections, 'active' | 'onDidChangeKey'>;
  readonly executions: Pick<Executions, 'onDidChange'>;
  readonly saved: Pick<SavedSearches, 'list' | 'onDidChange'>;
  readonly searches: Pick<ExecutionSearches, 'begin'>;
}

/** True where a list of executions tells all that the search asks for. */
export function isCountedByList({ text, errorCode, nodeId }: SearchFilter): boolean {
  return text === null && errorCode === null && nodeId === null;
}

/** Counts for the active connection while somebody looks at the window, one search after the other. */
export class SearchCounts implements Disposable {
  readonly #deps: SearchCountsDeps;
  readonly #owned = new DisposableStore();
  readonly #counts = this.#owned.add(new ObservableValue<ReadonlyMap<string, SearchCount>>(new Map()));
  readonly #soon: Pulse;
  readonly #later: Pulse;
  #round = new AbortController();
  #isCounting = false;
  #isAttended = false;

  constructor(deps: SearchCountsDeps) {
    this.#deps = deps;
    const { clock, connections, executions, saved } = deps;
    // A round that goes on is ended first: where executions change all the time, none would be otherwise.
    const goOn = (): void => (this.#isCounting ? this.#soon.ask() : this.#begin());
    this.#soon = this.#owned.add(new Pulse(clock, goOn, { first: soonMs, pause: soonMs }));
    this.#later = this.#owned.add(new Pulse(clock, () => this.#begin(), { first: againMs }));
    const restart = (): void => {
      this.#counts.set(new Map());
      this.#begin();
    };
    this.#owned.add(watchAccount(connections, restart, restart));
    this.#owned.add(saved.onDidChange(() => this.#begin()));
    this.#owned.add(
      executions.onDidChange((change) => {
        if (this.#isAttended && change.kind !== 'nodeRuns' && this.#counted().length > 0) this.#soon.ask();
      }),
    );
  }

  /** By query. */
  get counts(): Observable<ReadonlyMap<string, SearchCount>> {
    return this.#counts;
  }

  setAttended(isAttended: boolean): void {
    const isNew = isAttended && !this.#isAttended;
    this.#isAttended = isAttended;
    if (isNew) this.#begin();
  }

  dispose(): void {
    this.#round.abort();
    this.#owned.dispose();
  }

  #counted(): readonly string[] {
    const { id } = this.#deps.connections.active.current ?? {};
    const saved = id === undefined ? [] : this.#deps.saved.list(id);
    return saved.filter(({ isCounted }) => isCounted).map(({ query }) => query);
  }

  #begin(): void {
    this.#round.abort();
    this.#round = new AbortController();
    this.#soon.cancel();
    this.#later.cancel();
    const { signal } = this.#round;
    this.#isCounting = this.#isAttended;
    if (this.#isAttended) void this.#countAll(signal);
  }

  async #countAll(signal: AbortSignal): Promise<void> {
    const { id: connectionId } = this.#deps.connections.active.current ?? {};
    const queries = this.#counted();
    const counts = new Map<string, SearchCount>();
    try {
      for (const query of queries) {
        const known = this.#counts.current.get(query);
        const count = connectionId === undefined ? known : await this.#count(connectionId, query, signal);
        if (signal.aborted) return;
        // What can't be read now stays as it was.
        const shown = count ?? known;
        if (shown !== undefined) counts.set(query, shown);
      }
    } finally {
      if (!signal.aborted) this.#isCounting = false;
    }
    this.#counts.set(counts);
    if (queries.length > 0) this.#later.ask();
  }

  async #count(connectionId: string, query: string, signal: AbortSignal): Promise<SearchCount | undefined> {
    try {
      const { status, found, hasMore } = await searchExecutions(this.#deps, connectionId, query, {
        limit: maximumCount + 1,
        signal,
        purpose: 'search',
      });
      if (status !== 'ended') return undefined;
      return {
        count: Math.min(found.length, maximumCount),
        hasMore: hasMore || found.length > maximumCount,
      };
    } catch (error) {
      if (error instanceof SearchError || isServiceError(error) || isAbortError(error)) return undefined;
      throw error;
    }
  }
}
