import { stringifyJson } from '../../../base/json.ts';
import type { Slices } from '../../../base/slices.ts';
import type { NodeRun } from '../../../domain/nodeRun.ts';

/** The runs of one node in the same iteration and attempt. At least one side has one. */
export interface MatchedRuns {
  readonly left: NodeRun | undefined;
  readonly right: NodeRun | undefined;
}

/** Names the iteration and attempt of a node; if the service doesn't number the iterations, also which of the runs it is. */
class RunNames {
  readonly #counts = new Map<string, number>();

  next({ nodeId, iteration, attempt }: NodeRun): string {
    const name = stringifyJson([nodeId, iteration, attempt]);
    const count = this.#counts.get(name) ?? 0;
    this.#counts.set(name, count + 1);
    return `${name} ${count}`;
  }
}

async function nameRuns(runs: readonly NodeRun[], slices: Slices): Promise<ReadonlyMap<string, NodeRun>> {
  const names = new RunNames();
  const named = new Map<string, NodeRun>();
  for (const run of runs) {
    named.set(names.next(run), run);
    if (slices.isOver) await slices.next();
  }
  return named;
}

/** Returns all runs of both executions in the order of the right one; a run of the left one alone follows the run that it followed there. */
export async function matchRuns(
  left: readonly NodeRun[],
  right: readonly NodeRun[],
  slices: Slices,
): Promise<readonly MatchedRuns[]> {
  const onLeft = await nameRuns(left, slices);
  const onRight = await nameRuns(right, slices);
  /** The runs of the left side alone, by the name of the run before them that both sides have; '' for none. */
  const alone = new Map<string, MatchedRuns[]>();
  let before = '';
  for (const [name, run] of onLeft) {
    if (onRight.has(name)) before = name;
    else {
      const others = alone.get(before) ?? [];
      others.push({ left: run, right: undefined });
      alone.set(before, others);
    }
    if (slices.isOver) await slices.next();
  }
  const matched = [...(alone.get('') ?? [])];
  for (const [name, run] of onRight) {
    matched.push({ left: onLeft.get(name), right: run }, ...(alone.get(name) ?? []));
    if (slices.isOver) await slices.next();
  }
  return matched;
}
