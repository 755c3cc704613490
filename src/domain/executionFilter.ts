import type { RunState } from './status.ts';

/** Milliseconds before the time of the request, or everything since a point in time (epoch milliseconds). */
export type ExecutionPeriod =
  | { readonly kind: 'last'; readonly milliseconds: number }
  | { readonly kind: 'since'; readonly time: number };

/** null means no restriction. */
export interface ExecutionFilter {
  readonly status: RunState | null;
  readonly period: ExecutionPeriod | null;
}

export const noExecutionFilter: ExecutionFilter = Object.freeze({ status: null, period: null });
