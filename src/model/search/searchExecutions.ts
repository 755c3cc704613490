import { abortReason } from '../../base/async.ts';
import { type Clock, Deadline } from '../../base/time.ts';
import type { Purpose } from '../../domain/budget.ts';
import type { ExecutionSearches } from './executionSearches.ts';
import type { ExecutionSearch, SearchState } from './executionSearch.ts';
import { readSearch } from './searchQuery.ts';
import { maximumFound } from './searchWork.ts';

export interface SearchRead {
  readonly limit: number;
  readonly signal: AbortSignal;
  /** Milliseconds after which it ends with what was found so far. Default: it goes on until it's whole. */
  readonly patienceMs?: number;
  readonly onProgress?: (state: SearchState) => void;
  /** What its first request is for. Default: "asked". */
  readonly purpose?: Purpose;
}

interface SearchDeps {
  readonly searches: Pick<ExecutionSearches, 'begin'>;
  readonly clock: Clock;
}

/**
 * Searches for at most `limit` executions, newest first. Resolves with the state at the end: `hasMore` or "searching" where it isn't whole.
 * Rejects with a SearchError, a ServiceError or the signal's reason.
 */
export async function searchExecutions(
  { searches, clock }: SearchDeps,
  connectionId: string,
  query: string,
  read: SearchRead,
): Promise<SearchState> {
  const filter = readSearch(query, clock);
  read.signal.throwIfAborted();
  const search = searches.begin(connectionId, filter, { wanted: read.limit, purpose: read.purpose });
  try {
    const state = await untilEnd(search, clock, read);
    if (state.status === 'failed' && state.error !== null) throw state.error;
    return atMost(state, read.limit);
  } finally {
    search.dispose();
  }
}

/** A page may have more than is wanted, and where no search finds more, nobody knows whether there are others. */
function atMost(state: SearchState, limit: number): SearchState {
  const { length } = state.found;
  if (length <= limit) return length < maximumFound ? state : { ...state, hasMore: true };
  return { ...state, found: state.found.slice(0, limit), hasMore: true };
}

async function untilEnd(search: ExecutionSearch, clock: Clock, read: SearchRead): Promise<SearchState> {
  const { limit, signal, patienceMs, onProgress } = read;
  const deadline = new Deadline(clock, signal);
  if (patienceMs !== undefined) deadline.restart(patienceMs);
  try {
    await new Promise<void>((resolve, reject) => {
      const look = (state: SearchState): void => {
        onProgress?.(atMost(state, limit));
        if (state.status !== 'searching') resolve();
      };
      search.state.onDidChange(look);
      look(search.state.current);
      deadline.signal.addEventListener('abort', () => {
        if (deadline.isExpired) resolve();
        else reject(abortReason(signal));
      });
    });
    return search.state.current;
  } finally {
    deadline.dispose();
  }
}
