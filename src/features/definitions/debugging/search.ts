// Goes on from a node run to the next one that stops the session, forwards or backwards.
import { Slices } from '../../../base/slices.ts';
import type { RunItem } from '../../../model/runs/runItems.ts';
import { findBackwards, findForwards } from '../../../model/runs/stepping.ts';
import type { Breakpoints, Stop } from './breakpoints.ts';
import type { Recording } from './recording.ts';

export interface Found {
  readonly item: RunItem;
  readonly stop: Exclude<Stop, { readonly kind: 'log' }>;
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
  /** Of each run, by its position: the how manieth of its node it is, from 1. */
  #counts: number[] = [];
  readonly #ofNode = new Map<string, number>();

  /** `log`: gets the lines of log points, in order. */
  constructor(recording: Recording, breakpoints: Breakpoints, log: (message: string, item: RunItem) => void) {
    this.#recording = recording;
    this.#breakpoints = breakpoints;
    this.#log = log;
  }

  /** `after`: a position; -1 begins with the first run. Resolves with undefined at the end. Rejects with the signal's reason. */
  async forwards(after: number, going: Going): Promise<Found | undefined> {
    const { runs } = this.#recording;
    return this.#find((at) => findForwards(runs, at, this.#mayStop), after, true, going);
  }

  /** `before`: a position; the count of the runs begins with the last one. Log points are silent: their lines belong to the way forwards. */
  async backwards(before: number, going: Going): Promise<Found | undefined> {
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
  ): Promise<Found | undefined> {
    const slices = new Slices(signal);
    for (let item = next(from); item !== undefined; item = next(item.position)) {
      if (slices.isOver) {
        onReach(item);
        await slices.next();
      }
      signal.throwIfAborted();
      const run = item;
      const stop = await this.#breakpoints.stopAt(run, this.#countOf(run), (expression) =>
        this.#recording.evaluate(expression, run, signal),
      );
      if (stop !== undefined && stop.kind !== 'log') return { item: run, stop };
      if (stop !== undefined && isLogging) for (const message of stop.messages) this.#log(message, run);
    }
    return undefined;
  }

  /** Counts what has come since it was asked last. */
  #countOf({ position }: RunItem): number {
    const { runs } = this.#recording;
    for (let at = this.#counts.length; at <= position; at += 1) {
      const nodeId = runs.at(at)?.run.nodeId ?? '';
      const count = (this.#ofNode.get(nodeId) ?? 0) + 1;
      this.#ofNode.set(nodeId, count);
      this.#counts.push(count);
    }
    return this.#counts[position] ?? 0;
  }
}
