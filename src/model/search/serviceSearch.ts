import type { Purpose } from '../../domain/budget.ts';
import { SearchError } from '../../domain/errors.ts';
import type { Executions } from '../executions/executions.ts';
import { passesList, type ResolvedFilter, toSearchQuery } from './searchFilter.ts';
import type { SearchStep, SearchWork } from './searchWork.ts';

const pageSize = 100;

/** Searches by a service that has the capability: a step is a page. */
export class ServiceSearch implements SearchWork {
  readonly pageSize = pageSize;
  readonly #executions: Pick<Executions, 'search'>;
  readonly #connectionId: string;
  readonly #filter: ResolvedFilter;
  readonly #cursors = new Set<string>();
  #cursor: string | null = null;
  #since: Date | null = null;

  constructor(executions: Pick<Executions, 'search'>, connectionId: string, filter: ResolvedFilter) {
    this.#executions = executions;
    this.#connectionId = connectionId;
    this.#filter = filter;
  }

  async next(signal: AbortSignal, purpose: Purpose): Promise<SearchStep> {
    const query = {
      ...toSearchQuery(this.#filter),
      limit: pageSize,
      ...(this.#cursor !== null && { cursor: this.#cursor }),
    };
    const { items, nextCursor } = await this.#executions.search(this.#connectionId, query, signal, purpose);
    // While a service is upgraded, a process that can't search yet lists all.
    if (this.#filter.text !== null && items.some(({ found }) => found === undefined))
      throw new SearchError({ kind: 'notSearched' }, 'The service has not searched.');
    const isEnd = nextCursor === null || this.#cursors.has(nextCursor);
    if (nextCursor !== null) this.#cursors.add(nextCursor);
    this.#cursor = nextCursor;
    const last = items.at(-1);
    this.#since = last?.startedAt ?? last?.createdAt ?? this.#since;
    return {
      found: items.filter((execution) => passesList(execution, this.#filter)),
      progress: {
        searched: null,
        listed: null,
        isWholeListed: isEnd,
        since: this.#since,
        partlySearched: 0,
      },
      isEnd,
    };
  }
}
