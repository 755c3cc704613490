// Sums up the runs of a node, where only one line can be shown: a loop or another attempt makes several runs of one node.
import { hasFailed, type NodeRun } from '../../domain/nodeRun.ts';
import type { RunState } from '../../domain/status.ts';

export interface NodeSummary {
  readonly nodeId: string;
  /** All runs, earlier attempts included, in order. Never empty. */
  readonly runs: readonly NodeRun[];
  /** One run per iteration: its last attempt. Never empty. */
  readonly iterations: readonly NodeRun[];
  /** The most urgent iteration; of equally urgent ones the last. */
  readonly worst: NodeRun;
  /** How many iterations have failed without being handled. */
  readonly failed: number;
  /** The highest attempt of any iteration, from 1. */
  readonly attempts: number;
  /** The sum over all iterations with a duration; null when none has one. */
  readonly durationMs: number | null;
}

/** From the most urgent to the least urgent. */
const byUrgency: readonly RunState[] = [
  'failed',
  'cancelled',
  'running',
  'waiting',
  'queued',
  'unknown',
  'completed',
  'skipped',
];

/** Returns the most urgent state. */
export function worstState(states: readonly RunState[]): RunState {
  return byUrgency.find((state) => states.includes(state)) ?? 'unknown';
}

/** A lower number is more urgent. A handled failure, and then a completed run with a warning, come before completed ones. */
function urgency({ status, isHandled }: NodeRun): number {
  const rank = byUrgency.indexOf(isHandled ? 'completed' : (status?.state ?? 'unknown'));
  if (isHandled) return rank - 0.75;
  return status?.hasWarning === true ? rank - 0.5 : rank;
}

/** `items`: all runs of one node, in order; at least one. */
export function summarize(
  nodeId: string,
  items: readonly { readonly run: NodeRun; readonly isSuperseded: boolean }[],
): NodeSummary {
  const runs = items.map(({ run }) => run);
  const iterations = items.filter(({ isSuperseded }) => !isSuperseded).map(({ run }) => run);
  const durations = iterations.flatMap(({ durationMs }) => durationMs ?? []);
  return {
    nodeId,
    runs,
    iterations,
    worst: iterations.reduce((worst, run) => (urgency(run) <= urgency(worst) ? run : worst)),
    failed: iterations.filter(hasFailed).length,
    attempts: runs.reduce((highest, { attempt }) => Math.max(highest, attempt), 1),
    durationMs: durations.length === 0 ? null : durations.reduce((sum, each) => sum + each, 0),
  };
}
