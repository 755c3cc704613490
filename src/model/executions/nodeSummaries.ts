// A loop or a second attempt gives several runs of one node; where only one line is to be had, this says what they come to.
import type { RunState } from '../../domain/status.ts';
import type { NodeRun } from '../../domain/nodeRun.ts';

export interface NodeSummary {
  readonly nodeId: string;
  /** Every run, earlier attempts included, in order. Never empty. */
  readonly runs: readonly NodeRun[];
  /** One run a turn: its last attempt. Never empty. */
  readonly turns: readonly NodeRun[];
  /** The turn that needs a look most; of equal ones the last. */
  readonly worst: NodeRun;
  /** The highest attempt of any turn, from 1. */
  readonly attempts: number;
  /** Of all turns together, as far as they tell; null where none does. */
  readonly durationMs: number | null;
}

/** The first one needs a look most. */
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

/** The runs of each node, summed up by node id, in the order of the nodes' first runs. Pure. */
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

/** What an earlier attempt met does not count once a later one was made. */
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

/** Less is more urgent; a completed run with a warning comes before one without. */
function urgency({ status }: NodeRun): number {
  const rank = byUrgency.indexOf(status?.state ?? 'unknown');
  return status?.hasWarning === true ? rank - 0.5 : rank;
}
