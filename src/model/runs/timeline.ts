// Measures on one scale when each node run was running and when it waited. Times that a service doesn't report are left out, never guessed.
import type { Execution } from '../../domain/execution.ts';
import type { NodeLog } from '../../domain/nodeLog.ts';
import type { NodeRun } from '../../domain/nodeRun.ts';

/** Epoch milliseconds; `from` is never after `to`. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

export interface TimedRun extends Span {
  readonly run: NodeRun;
  /** The parts in which the run only waited, in order. */
  readonly waits: readonly Span[];
  /** True for a run that hasn't ended; it ends at the last known instant. */
  readonly isOpen: boolean;
}

export interface Timeline {
  /** From the trigger, or from the start if the trigger isn't known, to the last known instant. null when no times are known. */
  readonly whole: Span | null;
  /** The time between the trigger and the start; null unless both are known. */
  readonly queuedMs: number | null;
  /** The node runs with a known start, in that order. */
  readonly timed: readonly TimedRun[];
  /** The other runs, in the order of arrival. */
  readonly untimed: readonly NodeRun[];
  /** How long in the whole span a node waited or none ran. */
  readonly waitingMs: number;
}

type ExecutionTimes = Pick<Execution, 'createdAt' | 'startedAt' | 'completedAt' | 'durationMs'>;

/** Puts the node runs of an execution on one scale. */
export function measureTimeline(
  execution: ExecutionTimes,
  rows: readonly NodeLog[],
  nodeRuns: readonly NodeRun[],
): Timeline {
  const untimed = nodeRuns.filter(({ startedAt }) => startedAt === null);
  const whole = findWhole(execution, rows, nodeRuns);
  if (whole === null) return { whole, queuedMs: null, timed: [], untimed, waitingMs: 0 };
  const timed = nodeRuns
    .flatMap((run) => (run.startedAt === null ? [] : [timeRun(run, run.startedAt.getTime(), whole.to)]))
    .toSorted((one, other) => one.from - other.from);
  const { createdAt, startedAt } = execution;
  return {
    whole,
    queuedMs:
      createdAt === null || startedAt === null
        ? null
        : Math.max(0, startedAt.getTime() - createdAt.getTime()),
    timed,
    untimed,
    waitingMs: whole.to - whole.from - covered(timed) + covered(timed.flatMap(({ waits }) => waits)),
  };
}

function findWhole(
  { createdAt, startedAt, completedAt, durationMs }: ExecutionTimes,
  rows: readonly NodeLog[],
  nodeRuns: readonly NodeRun[],
): Span | null {
  const from = earliest([
    // Until the record is read, the time of the trigger may come from another clock than the times of the nodes.
    startedAt === null ? null : createdAt,
    startedAt,
    ...nodeRuns.map((run) => run.startedAt),
  ]);
  if (from === null) return null;
  let to = Math.max(from, endOf(startedAt, completedAt, durationMs) ?? from);
  for (const run of nodeRuns)
    to = Math.max(to, endOf(run.startedAt, run.completedAt, run.durationMs) ?? from);
  for (const row of rows)
    to = Math.max(to, row.timestamp?.getTime() ?? from, row.startedAt?.getTime() ?? from);
  return { from, to };
}

function earliest(times: readonly (Date | null)[]): number | null {
  return times.reduce<number | null>(
    (first, time) => (time === null ? first : Math.min(first ?? time.getTime(), time.getTime())),
    null,
  );
}

/** Returns the end in epoch milliseconds; null if it isn't known. */
function endOf(startedAt: Date | null, completedAt: Date | null, durationMs: number | null): number | null {
  if (completedAt !== null) return completedAt.getTime();
  return startedAt === null || durationMs === null ? null : startedAt.getTime() + durationMs;
}

function timeRun(run: NodeRun, from: number, lastKnown: number): TimedRun {
  const end = endOf(run.startedAt, run.completedAt, run.durationMs);
  const isOpen = end === null && run.status?.isTerminal === false;
  const to = Math.max(from, end ?? (isOpen ? lastKnown : from));
  return { run, from, to, waits: findWaits(run, from, to), isOpen };
}

/** Returns the spans from each row with a waiting status to the next row with another status. */
function findWaits({ logs }: NodeRun, from: number, to: number): readonly Span[] {
  const waits: Span[] = [];
  let since: number | null = null;
  const end = (at: number): void => {
    if (since !== null && at > since) waits.push({ from: since, to: at });
    since = null;
  };
  for (const { status, timestamp } of logs) {
    if (status === null || timestamp === null) continue;
    const at = Math.min(to, Math.max(from, timestamp.getTime()));
    if (status.state === 'waiting' || status.state === 'queued') since ??= at;
    else end(at);
  }
  end(to);
  return waits;
}

/** Returns the total time that these spans cover. */
function covered(spans: readonly Span[]): number {
  let sum = 0;
  let reached = -Infinity;
  for (const { from, to } of spans.toSorted((one, other) => one.from - other.from)) {
    sum += Math.max(0, to - Math.max(from, reached));
    reached = Math.max(reached, to);
  }
  return sum;
}
