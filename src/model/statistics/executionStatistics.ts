import type { Execution } from '../../domain/execution.ts';
import { measureDurations, type DurationStatistics } from './durations.ts';

/** How executions went. What hasn't ended isn't counted. */
export interface ExecutionStatistics {
  readonly ended: number;
  readonly completed: number;
  readonly failed: number;
  readonly cancelled: number;
  /** Of those that completed: one that failed may have ended early. */
  readonly durations: DurationStatistics | null;
}

export function measureExecutions(executions: readonly Execution[]): ExecutionStatistics {
  const count = (state: string): number => executions.filter(({ status }) => status.state === state).length;
  return {
    ended: executions.filter(({ status }) => status.isTerminal).length,
    completed: count('completed'),
    failed: count('failed'),
    cancelled: count('cancelled'),
    durations: measureDurations(
      executions.filter(hasCompleted).flatMap(({ durationMs }) => durationMs ?? []),
    ),
  };
}

const hasCompleted = ({ status }: Execution): boolean => status.state === 'completed';

/** Those that took longest and completed, the longest one first. */
export function longestExecutions(executions: readonly Execution[], count: number): readonly Execution[] {
  return executions
    .filter((execution) => hasCompleted(execution) && execution.durationMs !== null)
    .toSorted((one, other) => (other.durationMs ?? 0) - (one.durationMs ?? 0))
    .slice(0, count);
}
