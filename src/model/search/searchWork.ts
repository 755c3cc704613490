import type { Execution } from '../../domain/execution.ts';
import type { Purpose } from '../../domain/budget.ts';

/** How far a search is. */
export interface SearchProgress {
  /** Executions that were looked at. null: the service searches by itself. */
  readonly searched: number | null;
  /** Executions that are known to be searched, including those that were looked at. null: as above. */
  readonly listed: number | null;
  /** False while there may be more than `listed`. */
  readonly isWholeListed: boolean;
  /** When the oldest execution that was looked at began. */
  readonly since: Date | null;
  /** Executions that couldn't be read, or not as a whole. */
  readonly partlySearched: number;
}

/** What one step of a search gave. */
export interface SearchStep {
  /** Newest first, and older than those of earlier steps. */
  readonly found: readonly Execution[];
  readonly progress: SearchProgress;
  readonly isEnd: boolean;
}

/** No search finds more. */
export const maximumFound = 5000;

/** How executions are searched: step by step, newest first. */
export interface SearchWork {
  /** How many found executions are shown before somebody asks for more. */
  readonly pageSize: number;
  /**
   * Does the next step. Rejects with the signal's reason or a ServiceError; the same step is done again then. `purpose`: what its requests
   * are for, at most.
   */
  next(signal: AbortSignal, purpose: Purpose): Promise<SearchStep>;
}
