import { countBefore } from './sorted.ts';

/** A set of whole numbers, kept as ranges: small however many successive numbers it has. */
export class NumberRanges {
  /** The first and the last number of each range, in order; ranges never touch. */
  readonly #firsts: number[] = [];
  readonly #lasts: number[] = [];

  has(value: number): boolean {
    const at = this.#find(value);
    const last = this.#lasts[at];
    return last !== undefined && value <= last;
  }

  add(value: number): void {
    const at = this.#find(value);
    const last = this.#lasts[at];
    if (last !== undefined && value <= last) return;
    const isAfter = last === value - 1;
    const isBefore = this.#firsts[at + 1] === value + 1;
    if (isAfter && isBefore) {
      this.#firsts.splice(at + 1, 1);
      this.#lasts.splice(at, 1);
    } else if (isAfter) this.#lasts[at] = value;
    else if (isBefore) this.#firsts[at + 1] = value;
    else {
      this.#firsts.splice(at + 1, 0, value);
      this.#lasts.splice(at + 1, 0, value);
    }
  }

  /** The index of the last range that begins at the value or before; -1 if there is none. */
  #find(value: number): number {
    return countBefore(this.#firsts, (first) => first <= value) - 1;
  }
}
