// What a list of executions is narrowed to.
import type { RunState } from './status.ts';

/** Milliseconds back from the moment of asking, or from a point in time on (epoch milliseconds). */
export type ExecutionPeriod =
  | { readonly kind: 'last'; readonly milliseconds: number }
  | { readonly kind: 'since'; readonly time: number };

/** null: not narrowed. */
export interface ExecutionFilter {
  readonly status: RunState | null;
  readonly period: ExecutionPeriod | null;
}

export const noExecutionFilter: ExecutionFilter = Object.freeze({ status: null, period: null });
