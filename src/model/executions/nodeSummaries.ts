// Summarizes the runs of each node, where only one line can be shown: a loop or another attempt makes several runs of one node.
import type { RunState } from '../../domain/status.ts';
import type { NodeRun } from '../../domain/nodeRun.ts';

export interface NodeSummary {
  readonly nodeId: string;
  /** All runs, earlier attempts included, in order. Never empty. */
  readonly runs: readonly NodeRun[];
  /** One run per turn: its last attempt. Never empty. */
  readonly turns: readonly NodeRun[];
  /** The most urgent turn; of equally urgent turns the last one. */
  readonly worst: NodeRun;
  /** The highest attempt of any turn, from 1. */
  readonly attempts: number;
  /** The sum over all turns with a duration; null when none has one. */
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

/** Returns a summary of each node's runs by node id, in the order of the nodes' first runs. */
export function summarizeNodeRuns(nodeRuns: readonly NodeRun[]): ReadonlyMap<string, NodeSummary> {
  const byNode = new Map<string, NodeRun[]>();
  for (const run of nodeRuns) {
    const runs = byNode.get(run.nodeId);
    if (runs) runs.push(run);
    else byNode.set(run.nodeId, [run]);
  }
  const summaries = new Map<string, NodeSummary>();
  for (const [nodeId, runs] of byNode) {
    const [first, ...others] = lastAttempts(runs);
    if (first !== undefined) summaries.set(nodeId, summarize(nodeId, runs, [first, ...others]));
  }
  return summaries;
}

function summarize(
  nodeId: string,
  runs: readonly NodeRun[],
  turns: readonly [NodeRun, ...NodeRun[]],
): NodeSummary {
  const durations = turns.flatMap(({ durationMs }) => (durationMs === null ? [] : [durationMs]));
  return {
    nodeId,
    runs,
    turns,
    worst: turns.reduce((worst, run) => (urgency(run) <= urgency(worst) ? run : worst)),
    attempts: Math.max(...runs.map(({ attempt }) => attempt)),
    durationMs: durations.length === 0 ? null : durations.reduce((sum, each) => sum + each, 0),
  };
}

/** Returns the last attempt of each turn. An earlier attempt doesn't count after a later one. */
function lastAttempts(runs: readonly NodeRun[]): readonly NodeRun[] {
  const turns: NodeRun[] = [];
  for (const run of runs) {
    const at = turns.findLastIndex((turn) => isLaterAttempt(run, turn));
    if (at < 0) turns.push(run);
    else turns[at] = run;
  }
  return turns;
}

function isLaterAttempt(run: NodeRun, turn: NodeRun): boolean {
  return (
    run.attempt > turn.attempt &&
    run.iteration.length === turn.iteration.length &&
    run.iteration.every((index, level) => index === turn.iteration[level])
  );
}

/** A lower number is more urgent. A completed run with a warning comes before a run without one. */
function urgency({ status }: NodeRun): number {
  const rank = byUrgency.indexOf(status?.state ?? 'unknown');
  return status?.hasWarning === true ? rank - 0.5 : rank;
}
