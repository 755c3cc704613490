import { isAbortError } from '../../base/async.ts';
import type { Disposable } from '../../base/disposable.ts';
import { type Observable, ObservableValue } from '../../base/event.ts';
import { toError } from '../../base/reason.ts';
import { type Clock, wait } from '../../base/time.ts';
import type { Purpose } from '../../domain/budget.ts';
import { isServiceError } from '../../domain/errors.ts';
import type { Execution } from '../../domain/execution.ts';
import { lightExecution } from '../executions/executionRecord.ts';
import { maximumFound, type SearchProgress, type SearchStep, type SearchWork } from './searchWork.ts';

export interface SearchState extends SearchProgress {
  /** ended: nothing is left, or as many were found as were wanted so far. */
  readonly status: 'searching' | 'paused' | 'ended' | 'cancelled' | 'failed';
  /** Newest first, each with the places of the text. The same array until more is found. */
  readonly found: readonly Execution[];
  /** There may be more, which `more` searches for. */
  readonly hasMore: boolean;
  /** Epoch milliseconds until which the request limit makes it wait; null while it doesn't. */
  readonly waitsUntil: number | null;
  /** Why it failed. */
  readonly error: Error | null;
}

export interface ExecutionSearchDeps {
  readonly clock: Clock;
  /** Finds out how to search. Rejects with a SearchError, a ServiceError or the signal's reason. */
  readonly begin: (signal: AbortSignal) => Promise<SearchWork>;
  /** Milliseconds until a request of the search may be sent. */
  readonly waitMs: () => number;
  /** How many executions are wanted. Default: as many as a page has. */
  readonly wanted?: number | undefined;
  /** What the first request is for; the others let everything else go first. Default: "asked". */
  readonly purpose?: Purpose | undefined;
}

const notBegun: SearchState = {
  status: 'searching',
  searched: null,
  listed: null,
  isWholeListed: false,
  since: null,
  partlySearched: 0,
  found: [],
  hasMore: true,
  waitsUntil: null,
  error: null,
};

/** One search of executions, which begins at once. Disposing of it ends its requests. */
export class ExecutionSearch implements Disposable {
  readonly #deps: ExecutionSearchDeps;
  readonly #state = new ObservableValue<SearchState>(notBegun);
  readonly #ids = new Set<string>();
  #wanted: number | undefined;
  #work: SearchWork | undefined;
  #running = new AbortController();
  #lastRun: Promise<void> = Promise.resolve();
  #isAtEnd = false;
  #isDisposed = false;

  constructor(deps: ExecutionSearchDeps) {
    this.#deps = deps;
    this.#wanted = deps.wanted;
    this.#start();
  }

  get state(): Observable<SearchState> {
    return this.#state;
  }

  /** Sends nothing until it goes on. What was under way is done again then. */
  pause(): void {
    this.#stop('paused');
  }

  /** Goes on after a pause or a failure. */
  goOn(): void {
    const { status } = this.#state.current;
    if (status === 'paused' || status === 'failed') this.#start();
  }

  /** Ends it. What was found stays. */
  cancel(): void {
    const { status } = this.#state.current;
    if (status === 'ended') return;
    this.#stop('cancelled');
    this.#show({ status: 'cancelled', waitsUntil: null, error: null });
  }

  /** Searches for another page of found executions, or for so many in all. */
  more(wanted?: number): void {
    const { status, hasMore, found } = this.#state.current;
    if (status !== 'ended' || !hasMore || this.#work === undefined) return;
    this.#wanted = wanted ?? found.length + this.#work.pageSize;
    this.#start();
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#running.abort();
    this.#state.dispose();
  }

  #stop(status: 'paused' | 'cancelled'): void {
    if (this.#state.current.status !== 'searching') return;
    this.#running.abort();
    this.#show({ status, waitsUntil: null });
  }

  #start(): void {
    if (this.#isDisposed) return;
    const running = new AbortController();
    this.#running = running;
    this.#show({ status: 'searching', error: null });
    // A step that is being given up ends before the next one begins.
    this.#lastRun = this.#lastRun.then(() => this.#run(running.signal));
  }

  /** Never rejects. */
  async #run(signal: AbortSignal): Promise<void> {
    try {
      await this.#search(signal);
    } catch (error) {
      if (signal.aborted) return;
      // The connection was removed.
      if (isAbortError(error)) this.#show({ status: 'cancelled', waitsUntil: null });
      else this.#show({ status: 'failed', waitsUntil: null, error: toError(error) });
    }
  }

  async #search(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const work = (this.#work ??= await this.#deps.begin(signal));
    const wanted = Math.min((this.#wanted ??= work.pageSize), maximumFound);
    for (let isFirst = true; !this.#isAtEnd && this.#ids.size < wanted; isFirst = false) {
      signal.throwIfAborted();
      this.#take(await this.#step(work, signal, isFirst));
    }
    signal.throwIfAborted();
    const hasMore = !this.#isAtEnd && this.#ids.size < maximumFound;
    this.#show({ status: 'ended', hasMore, waitsUntil: null });
  }

  /** Waits for the request limit as long as it takes. */
  async #step(work: SearchWork, signal: AbortSignal, isFirst: boolean): Promise<SearchStep> {
    const { clock, waitMs, purpose = 'asked' } = this.#deps;
    for (;;) {
      try {
        if (!isFirst) this.#showWait(waitMs());
        return await work.next(signal, isFirst ? purpose : 'search');
      } catch (error) {
        if (!isServiceError(error) || error.reason.kind !== 'rateLimited' || error.reason.isQuota)
          throw error;
        const inMs = Math.max(0, error.reason.retryAt - clock.now());
        this.#showWait(inMs);
        await wait(clock, inMs, signal);
      }
    }
  }

  #showWait(milliseconds: number): void {
    const until = milliseconds < 1000 ? null : this.#deps.clock.now() + milliseconds;
    if (until !== this.#state.current.waitsUntil) this.#show({ waitsUntil: until });
  }

  #take({ found, progress, isEnd }: SearchStep): void {
    const { current } = this.#state;
    // Pages may repeat what moved meanwhile.
    const added = found.filter(({ id }) => !this.#ids.has(id)).slice(0, maximumFound - this.#ids.size);
    for (const { id } of added) this.#ids.add(id);
    const all = added.length === 0 ? current.found : [...current.found, ...added.map(lightExecution)];
    this.#isAtEnd = isEnd;
    this.#show({ ...progress, found: all, hasMore: !isEnd, waitsUntil: null });
  }

  #show(change: Partial<SearchState>): void {
    if (!this.#isDisposed) this.#state.set({ ...this.#state.current, ...change });
  }
}
