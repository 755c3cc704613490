// The ways from one node run to another, forwards and backwards, in the order in which they were recorded.
import { iterationsAround, type RunItem } from './runItems.ts';
import type { RunTree } from './runTree.ts';

/** "into" takes the next run, whatever it's in; "over" stays out of loops and earlier attempts; "out" leaves the innermost loop. */
export type Step = 'into' | 'over' | 'out';

type Runs = Pick<RunTree, 'at' | 'count'>;

/** How many loops are around a run. An attempt that another one replaced counts as inside the run. */
function depthOf({ scope, isSuperseded }: RunItem): number {
  return iterationsAround(scope).length + (isSuperseded ? 1 : 0);
}

/** Returns where the step leads; undefined at the end of the runs. `after`: the position up to which it was looked for before. */
export function findStep(runs: Runs, from: RunItem, step: Step, after: number): RunItem | undefined {
  const limit = step === 'into' ? Infinity : depthOf(from) - (step === 'out' ? 1 : 0);
  return findForwards(runs, after, (item) => depthOf(item) <= limit);
}

/** Returns the run before, out of loops and earlier attempts that have ended by then; undefined at the beginning. */
export function findStepBack(runs: Runs, from: RunItem): RunItem | undefined {
  const limit = depthOf(from);
  return findBackwards(runs, from.position, (item) => depthOf(item) <= limit);
}

/** `after`: a position; -1 begins with the first run. Skipped runs are passed over. */
export function findForwards(
  runs: Runs,
  after: number,
  isWanted: (item: RunItem) => boolean,
): RunItem | undefined {
  for (let position = after + 1; position < runs.count; position += 1) {
    const item = runs.at(position);
    if (item !== undefined && !isSkipped(item) && isWanted(item)) return item;
  }
  return undefined;
}

/** `before`: a position; the count of the runs begins with the last one. Skipped runs are passed over. */
export function findBackwards(
  runs: Runs,
  before: number,
  isWanted: (item: RunItem) => boolean,
): RunItem | undefined {
  for (let position = before - 1; position >= 0; position -= 1) {
    const item = runs.at(position);
    if (item !== undefined && !isSkipped(item) && isWanted(item)) return item;
  }
  return undefined;
}

function isSkipped({ run: { status } }: RunItem): boolean {
  return status?.state === 'skipped';
}
