// When each node run was at work and when something waited, all on one scale; what a service does not tell is left out, never guessed.
import type { Execution } from '../../domain/execution.ts';
import type { NodeLog } from '../../domain/nodeLog.ts';
import type { NodeRun } from '../../domain/nodeRun.ts';

/** Epoch milliseconds; from is never after to. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

export interface TimedRun extends Span {
  readonly run: NodeRun;
  /** The parts of it in which it only waited, in order. */
  readonly waits: readonly Span[];
  /** Not ended yet: it reaches to the last instant that is known. */
  readonly isOpen: boolean;
}

export interface Timeline {
  /** From the trigger, or the start where that is all the service tells, to the last instant that is known. null: it tells no times. */
  readonly whole: Span | null;
  /** Between the trigger and the start; null where the service does not tell both. */
  readonly queuedMs: number | null;
  /** The node runs that tell when they began, in that order. */
  readonly timed: readonly TimedRun[];
  /** The others, as they came. */
  readonly untimed: readonly NodeRun[];
  /** How long of the whole a node waited or none ran. */
  readonly waitingMs: number;
}

type ExecutionTimes = Pick<Execution, 'createdAt' | 'startedAt' | 'completedAt' | 'durationMs'>;

/** Puts the node runs of an execution on one scale. Pure. */
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
    // Before the record was read, the time of the trigger may be of another clock than that of the nodes.
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

/** When it ended as far as it tells, in epoch milliseconds. */
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

/** From each row that says it waits to the next one that says something else. */
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

/** How much of the time lies in any of these. */
function covered(spans: readonly Span[]): number {
  let sum = 0;
  let reached = -Infinity;
  for (const { from, to } of spans.toSorted((one, other) => one.from - other.from)) {
    sum += Math.max(0, to - Math.max(from, reached));
    reached = Math.max(reached, to);
  }
  return sum;
}
