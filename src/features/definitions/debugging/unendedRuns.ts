// The runs that hadn't ended when a session of an execution that goes on came past them: they may still fail.
import type { RunItem } from '../../../model/runs/runItems.ts';
import type { Recording } from './recording.ts';

export class UnendedRuns {
  readonly #recording: Pick<Recording, 'runs'>;
  #positions: readonly number[] = [];
  #passed = -1;

  constructor(recording: Pick<Recording, 'runs'>) {
    this.#recording = recording;
  }

  /** How far the session has come: a position, -1 before the first run. */
  get passed(): number {
    return this.#passed;
  }

  /** Looks once at each run up to a position. */
  pass(position: number): void {
    const { runs } = this.#recording;
    const unended: number[] = [];
    for (let at = this.#passed + 1; at <= position; at += 1)
      if (runs.at(at)?.run.status?.isTerminal === false) unended.push(at);
    this.#positions = [...this.#positions, ...unended];
    this.#passed = Math.max(this.#passed, position);
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
      return (
        item !== stop && (item?.run.status?.isTerminal === false || (item !== undefined && isStop(item)))
      );
    });
    return stop;
  }
}
