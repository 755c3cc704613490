// The filter of a list of executions, asked of the service and applied here too, for services that ignore it.
import type { Execution } from '../../domain/execution.ts';
import type { ExecutionFilter, ExecutionPeriod } from '../../domain/executionFilter.ts';
import type { ExecutionQuery } from '../../domain/queries.ts';

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
  { status, startedAt, createdAt }: Execution,
  filter: ExecutionFilter,
  now: number,
): boolean {
  if (filter.status !== null && status.state !== 'unknown' && status.state !== filter.status) return false;
  const began = startedAt ?? createdAt;
  return filter.period === null || began === null || began.getTime() > beginOf(filter.period, now);
}
