import type { Purpose } from './budget.ts';
import type { ExecutionKind, RunState } from './status.ts';

/** Options that every call takes. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** Default: "asked". */
  readonly purpose?: Purpose | undefined;
  /** Never sent again by itself, not even after a refusal for the request limit: the caller finds out whether it was carried out. */
  readonly isOnce?: boolean | undefined;
}

export interface Page<T> {
  readonly items: readonly T[];
  /** null on the last page; never points to its own page. A page without items has one if the service listed others than were requested. */
  readonly nextCursor: string | null;
}

export interface WorkflowQuery {
  readonly limit?: number;
  readonly cursor?: string;
  readonly search?: string;
  readonly deployed?: boolean;
}

/** Asked only of a service with the capability `search`. */
interface ExecutionSearchQuery {
  /** Text in the values of an execution. */
  readonly q?: string;
  readonly minDurationMs?: number;
  readonly errorCode?: string;
  readonly failedNodeId?: string;
}

export interface ExecutionQuery extends ExecutionSearchQuery {
  readonly kind?: ExecutionKind;
  readonly workflowId?: string;
  readonly status?: string;
  readonly eventId?: string;
  readonly startedAfter?: Date;
  readonly startedBefore?: Date;
  readonly limit?: number;
  readonly cursor?: string;
}

export interface PortalEventQuery {
  readonly after?: string;
  readonly type?: string;
  readonly workflowId?: string;
  readonly limit?: number;
  readonly cursor?: string;
}

/** Milliseconds before the time of the request, or everything since a point in time (epoch milliseconds). */
export type ExecutionPeriod =
  | { readonly kind: 'last'; readonly milliseconds: number }
  | { readonly kind: 'since'; readonly time: number };

export interface ExecutionFilter {
  /** Empty: any. */
  readonly states: readonly RunState[];
  /** null: any. */
  readonly period: ExecutionPeriod | null;
  /** Default: with them. */
  readonly withoutDrafts?: boolean;
}

export const noExecutionFilter: ExecutionFilter = Object.freeze({ states: [], period: null });
