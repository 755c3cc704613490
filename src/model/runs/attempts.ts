import type { NodeRun } from '../../domain/nodeRun.ts';

interface Attempt {
  readonly run: Pick<NodeRun, 'attempt'>;
}

interface Repetition<A> {
  last: A;
}

/**
 * Which runs are attempts of the same repetition, for a node that a service repeats without numbering that: a run belongs to the last
 * repetition that is at an earlier attempt. Each repetition is looked at once for each number of an attempt.
 */
export class Attempts<A extends Attempt> {
  readonly #repetitions: Repetition<A>[] = [];
  /** By the number of an attempt: the repetitions that may be at an earlier one, and how many were considered. */
  readonly #earlier = new Map<number, { readonly repetitions: Repetition<A>[]; considered: number }>();

  /** Returns the attempt that the run follows; undefined for one that begins a repetition. */
  add(item: A): A | undefined {
    const repetition = this.#findEarlier(item.run.attempt);
    if (repetition === undefined) {
      this.#repetitions.push({ last: item });
      return undefined;
    }
    const { last } = repetition;
    repetition.last = item;
    return last;
  }

  /** Attempts only grow, so a repetition that is at this attempt or a later one never has to be looked at again. */
  #findEarlier(attempt: number): Repetition<A> | undefined {
    const earlier = this.#earlier.get(attempt) ?? { repetitions: [], considered: 0 };
    this.#earlier.set(attempt, earlier);
    for (const each of this.#repetitions.slice(earlier.considered)) earlier.repetitions.push(each);
    earlier.considered = this.#repetitions.length;
    for (;;) {
      const last = earlier.repetitions.at(-1);
      if (last === undefined || last.last.run.attempt < attempt) return last;
      earlier.repetitions.pop();
    }
  }
}
