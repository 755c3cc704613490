// The runs that hadn't ended when a session of an execution that goes on came past them: they may still fail.
import type { RunItem } from '../../model/runs/runItems.ts';
import type { Recording } from './recording.ts';

export class UnendedRuns {
  readonly #recording: Pick<Recording, 'runs'>;
  #positions: readonly number[] = [];
  #count = 0;

  constructor(recording: Pick<Recording, 'runs'>) {
    this.#recording = recording;
  }

  /** Notes the ones among the first `count` runs, each of which it looks at once. */
  note(count: number): void {
    const { runs } = this.#recording;
    const unended: number[] = [];
    for (let at = this.#count; at < count; at += 1) if (isUnended(runs.at(at))) unended.push(at);
    if (unended.length > 0) this.#positions = [...this.#positions, ...unended];
    this.#count = Math.max(this.#count, count);
  }

  /** Returns the first one that stops the session by now, and forgets those that have ended. `last`: the position up to which they count. */
  takeStop(last: number, isStop: (item: RunItem) => boolean): RunItem | undefined {
    const { runs } = this.#recording;
    const stop = this.#positions
      .filter((position) => position <= last)
      .map((position) => runs.at(position))
      .find((item) => item !== undefined && isStop(item));
    this.#positions = this.#positions.filter((position) => {
      const item = runs.at(position);
      // Another one that stops the session is next.
      return item !== undefined && item !== stop && (isUnended(item) || isStop(item));
    });
    return stop;
  }

  /** Forgets a run if it has ended: the session stops there. */
  forgetEnded(item: RunItem): void {
    if (!isUnended(item)) this.#positions = this.#positions.filter((position) => position !== item.position);
  }
}

function isUnended(item: RunItem | undefined): boolean {
  return item?.run.status?.isTerminal === false;
}
