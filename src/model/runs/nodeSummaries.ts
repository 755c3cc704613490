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

/** Returns the most urgent state. */
export function worstState(states: readonly RunState[]): RunState {
  return byUrgency.find((state) => states.includes(state)) ?? 'unknown';
}

/** Returns a summary of each node's runs by node id, in the order of the nodes' first runs. */
export function summarizeNodeRuns(nodeRuns: readonly NodeRun[]): ReadonlyMap<string, NodeSummary> {
  const byNode = new Map<string, NodeRun[]>();
  for (const run of nodeRuns) {
    const runs = byNode.get(run.nodeId);
    if (runs) runs.push(run);
    else byNode.set(run.nodeId, [run]);
  }
  const summaries = new Map<string, NodeSummary>();
  for (const [nodeId, runs] of byNode) summaries.set(nodeId, summarize(nodeId, runs));
  return summaries;
}

function summarize(nodeId: string, runs: readonly NodeRun[]): NodeSummary {
  const attempts = runs.reduce((highest, { attempt }) => Math.max(highest, attempt), 1);
  const turns = lastAttempts(runs, attempts);
  const durations = turns.flatMap(({ durationMs }) => durationMs ?? []);
  return {
    nodeId,
    runs,
    turns,
    worst: turns.reduce((worst, run) => (urgency(run) <= urgency(worst) ? run : worst)),
    attempts,
    durationMs: durations.length === 0 ? null : durations.reduce((sum, each) => sum + each, 0),
  };
}

/** Returns the last attempt of each turn, at least one. An earlier attempt doesn't count after a later one. `attempts`: the highest. */
function lastAttempts(runs: readonly NodeRun[], attempts: number): readonly NodeRun[] {
  if (attempts === 1) return runs;
  const turns: Turn[] = [];
  const places = new Map<string, TurnsOfPlace>();
  for (const run of runs) {
    const name = JSON.stringify(run.iteration);
    const place = places.get(name) ?? new TurnsOfPlace();
    places.set(name, place);
    const begun = place.add(run);
    if (begun !== undefined) turns.push(begun);
  }
  return turns.map(({ run }) => run);
}

interface Turn {
  /** The last attempt. */
  run: NodeRun;
}

/** The turns at one place of the loops: several if the service doesn't number them. Each is looked at once for each number of an attempt. */
class TurnsOfPlace {
  readonly #turns: Turn[] = [];
  /** By the number of an attempt: the turns that may be at an earlier one, and how many turns were considered. */
  readonly #earlier = new Map<number, { readonly turns: Turn[]; considered: number }>();

  /** Adds the run to the last turn that is at an earlier attempt, or else returns the turn that it begins. */
  add(run: NodeRun): Turn | undefined {
    const turn = this.#findEarlier(run.attempt);
    if (turn !== undefined) {
      turn.run = run;
      return undefined;
    }
    const begun = { run };
    this.#turns.push(begun);
    return begun;
  }

  /** Attempts only grow, so a turn that is at this attempt or a later one never has to be looked at again. */
  #findEarlier(attempt: number): Turn | undefined {
    const earlier = this.#earlier.get(attempt) ?? { turns: [], considered: 0 };
    this.#earlier.set(attempt, earlier);
    for (const turn of this.#turns.slice(earlier.considered)) earlier.turns.push(turn);
    earlier.considered = this.#turns.length;
    for (;;) {
      const last = earlier.turns.at(-1);
      if (last === undefined || last.run.attempt < attempt) return last;
      earlier.turns.pop();
    }
  }
}

/** A lower number is more urgent. A completed run with a warning comes before a run without one. */
function urgency({ status }: NodeRun): number {
  const rank = byUrgency.indexOf(status?.state ?? 'unknown');
  return status?.hasWarning === true ? rank - 0.5 : rank;
}
