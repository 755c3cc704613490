import { NumberRanges } from '../../base/numberRanges.ts';
import { TextSet } from '../../base/textSet.ts';
import type { NodeLog } from '../../domain/nodeLog.ts';

/** Rows by their sequences, or by their keys where they have none, in a few bytes each. */
class KnownRows {
  readonly #sequences = new NumberRanges();
  readonly #keys = new TextSet();

  add({ sequence, key }: NodeLog): void {
    if (sequence === null) this.#keys.add(key);
    else this.#sequences.add(sequence);
  }

  has({ sequence, key }: NodeLog): boolean {
    return sequence === null ? this.#keys.has(key) : this.#sequences.has(sequence);
  }
}

/** Remembers which rows were evicted from memory, so that a service that repeats them doesn't bring them back. */
export class EvictedRows {
  readonly #all = new KnownRows();
  readonly #ends = new KnownRows();

  add(row: NodeLog): void {
    this.#all.add(row);
    if (row.status?.isTerminal === true) this.#ends.add(row);
  }

  has(row: NodeLog): boolean {
    return this.#all.has(row);
  }

  /** True if the row already said that its node run has ended when it was evicted. */
  hasEnd(row: NodeLog): boolean {
    return this.#ends.has(row);
  }
}
