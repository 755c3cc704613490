// Which failed runs were handled: found from the order of the rows alone, so it holds for every service and while the execution runs.
import { isAfter, type RunRows } from './runRows.ts';

/**
 * A failed run is handled once another node of the same iteration begins after it. The next attempt of the node handles nothing, and
 * neither does a node that is skipped.
 */
export class HandledFailures {
  /** The failed runs that aren't handled so far, by their iteration. */
  readonly #open = new Map<string, Set<RunRows>>();
  #lastBegun: RunRows | undefined;
  #isInDoubt = false;
  #hasForgotten = false;

  /** Call when a run begins. Returns the runs that are handled by that. */
  noteBegin(run: RunRows): readonly RunRows[] {
    if (this.#lastBegun === undefined || !isAfter(this.#lastBegun.first, run.first)) this.#lastBegun = run;
    const open = this.#open.size === 0 ? undefined : this.#open.get(iterationOf(run));
    if (open === undefined || stateOf(run) === 'skipped') return [];
    const earlier = [...open].filter((failed) => isAfter(run.first, failed.last));
    for (const failed of earlier) open.delete(failed);
    if (open.size === 0) this.#open.delete(iterationOf(run));
    const handled = earlier.filter((failed) => nodeOf(failed) !== nodeOf(run));
    for (const failed of handled) failed.isHandled = true;
    return handled;
  }

  /** Call when a run has begun or changed. */
  noteChange(run: RunRows): void {
    const hasFailed = stateOf(run) === 'failed';
    if (!hasFailed) run.isHandled = false;
    if (this.#open.size === 0 && !hasFailed) return;
    if (hasFailed && this.#lastBegun !== undefined && isAfter(this.#lastBegun.first, run.last))
      this.markStale();
    const iteration = iterationOf(run);
    const open = this.#open.get(iteration);
    if (hasFailed && !run.isHandled) this.#open.set(iteration, (open ?? new Set()).add(run));
    else if (open?.delete(run) === true && open.size === 0) this.#open.delete(iteration);
  }

  /** Call when rows came out of order: then all runs are looked at anew. */
  markStale(): void {
    this.#isInDoubt = true;
  }

  /** Call when runs are no longer there. */
  forget(runs: ReadonlySet<RunRows>): void {
    this.#hasForgotten = true;
    for (const [iteration, open] of this.#open) {
      for (const run of open) if (runs.has(run)) open.delete(run);
      if (open.size === 0) this.#open.delete(iteration);
    }
    if (this.#lastBegun !== undefined && runs.has(this.#lastBegun)) this.#lastBegun = undefined;
  }

  /** Ends a batch. `runs`: in order. Returns those of which something else is known now. */
  settle(runs: readonly RunRows[]): readonly RunRows[] {
    if (!this.#isInDoubt) return [];
    const before = new Set(runs.filter(({ isHandled }) => isHandled));
    this.#open.clear();
    this.#lastBegun = undefined;
    for (const run of runs) {
      // The run that handled it may be forgotten.
      if (!this.#hasForgotten) run.isHandled = false;
      this.noteBegin(run);
      this.noteChange(run);
    }
    this.#isInDoubt = false;
    return runs.filter((run) => run.isHandled !== before.has(run));
  }
}

const stateOf = (run: RunRows) => run.find('status')?.state;
const nodeOf = (run: RunRows) => run.firstLog?.nodeId;
const iterationOf = (run: RunRows): string => run.firstLog?.iteration.join() ?? '';
