// What a list of executions is narrowed to, asked of the service and held to here, for services that ignore it.
import type { ExecutionQuery } from '../../api/client.ts';
import type { ExecutionReading, RunState } from '../../api/readings.ts';

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

function beginOf(period: ExecutionPeriod, now: number): number {
  return period.kind === 'last' ? now - period.milliseconds : period.time;
}

/** The filter as the service is asked for it. */
export function toExecutionQuery({ status, period }: ExecutionFilter, now: number): ExecutionQuery {
  return {
    ...(status === null ? {} : { status }),
    ...(period === null ? {} : { startedAfter: new Date(beginOf(period, now)) }),
  };
}

/** True when the filter lets the execution through; what the service does not tell passes. */
export function passesExecutionFilter(
  { status, startedAt, createdAt }: ExecutionReading,
  filter: ExecutionFilter,
  now: number,
): boolean {
  if (filter.status !== null && status.state !== 'unknown' && status.state !== filter.status) return false;
  const began = startedAt ?? createdAt;
  return filter.period === null || began === null || began.getTime() > beginOf(filter.period, now);
}
