// Goes on from a node run to the next one that stops the session, forwards or backwards.
import { getOrInsert } from '../../base/getOrInsert.ts';
import { Slices } from '../../base/slices.ts';
import { countBefore } from '../../base/sorted.ts';
import type { RunItem } from '../../model/runs/runItems.ts';
import { findBackwards, findForwards } from '../../model/runs/stepping.ts';
import type { Breakpoints, RunsOfNode, StopReason } from './breakpoints.ts';
import type { Recording } from './recording.ts';

export interface FoundStop {
  readonly item: RunItem;
  readonly stop: StopReason;
}

/** A way that takes its time. */
export interface Going {
  readonly signal: AbortSignal;
  /** Gets what has been reached, now and then. */
  readonly onReach: (item: RunItem) => void;
}

export class Search {
  readonly #recording: Recording;
  readonly #breakpoints: Breakpoints;
  readonly #log: (message: string, item: RunItem) => void;
  /** The positions of the runs of each node, up to the ones that were noted. */
  readonly #ofNode = new Map<string, number[]>();
  #noted = 0;

  /** `log`: gets the lines of log points, in order. */
  constructor(recording: Recording, breakpoints: Breakpoints, log: (message: string, item: RunItem) => void) {
    this.#recording = recording;
    this.#breakpoints = breakpoints;
    this.#log = log;
  }

  /**
   * `after`: a position; -1 begins with the first run. `last`: the position of the last run to look at. Resolves with
   * undefined at the end. Rejects with the signal's reason.
   */
  async forwards(after: number, going: Going, last: number): Promise<FoundStop | undefined> {
    const { runs } = this.#recording;
    const next = (at: number): RunItem | undefined => {
      const item = findForwards(runs, at, (each) => each.position > last || this.#mayStop(each));
      return item !== undefined && item.position <= last ? item : undefined;
    };
    return this.#find(next, after, true, going);
  }

  /** Prints the lines of the log points at a run where the session stops anyway. Rejects with the signal's reason. */
  async print({ position }: RunItem, signal: AbortSignal): Promise<void> {
    await this.forwards(position - 1, { signal, onReach: () => undefined }, position);
  }

  /** `before`: a position; the count of the runs begins with the last one. Log points are silent: their lines belong to the way forwards. */
  async backwards(before: number, going: Going): Promise<FoundStop | undefined> {
    const { runs } = this.#recording;
    return this.#find((at) => findBackwards(runs, at, this.#mayStop), before, false, going);
  }

  readonly isStoppingFailure = (item: RunItem): boolean => this.#breakpoints.isStoppingFailure(item);

  readonly #mayStop = (item: RunItem): boolean => this.#breakpoints.mayStop(item);

  async #find(
    next: (at: number) => RunItem | undefined,
    from: number,
    isLogging: boolean,
    { signal, onReach }: Going,
  ): Promise<FoundStop | undefined> {
    const slices = new Slices(signal);
    for (let item = next(from); item !== undefined; item = next(item.position)) {
      if (slices.isOver) {
        onReach(item);
        await slices.next();
      }
      signal.throwIfAborted();
      const { messages, stop } = await this.#breakpoints.pass(
        item,
        this.#runsUpTo(item),
        (expression, run) => this.#recording.evaluate(expression, run, signal),
        isLogging,
      );
      for (const message of messages) this.#log(message, item);
      if (stop !== undefined) return { item, stop };
    }
    return undefined;
  }

  /** Notes what has come since it was asked last. */
  #runsUpTo({ position, run: { nodeId } }: RunItem): RunsOfNode {
    const { runs } = this.#recording;
    for (; this.#noted <= position; this.#noted += 1) {
      const noted = runs.at(this.#noted)?.run.nodeId ?? '';
      getOrInsert(this.#ofNode, noted, () => []).push(this.#noted);
    }
    const positions = this.#ofNode.get(nodeId) ?? [];
    const count = countBefore(positions, (each) => each <= position);
    const at = (index: number): RunItem => {
      const item = runs.at(positions[index] ?? -1);
      if (item === undefined) throw new RangeError(`The node has no run ${index + 1}.`);
      return item;
    };
    return { count, at };
  }
}
