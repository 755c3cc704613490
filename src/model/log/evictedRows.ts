import { NumberRanges } from '../../base/numberRanges.ts';
import { TextSet } from '../../base/textSet.ts';
import type { NodeLog } from '../../domain/nodeLog.ts';

/** Remembers which rows were evicted from memory, in a few bytes, so that a service that repeats them doesn't bring them back. */
export class EvictedRows {
  readonly #sequences = new NumberRanges();
  /** The keys of rows without a sequence. */
  readonly #keys = new TextSet();

  add({ sequence, key }: NodeLog): void {
    if (sequence === null) this.#keys.add(key);
    else this.#sequences.add(sequence);
  }

  has({ sequence, key }: NodeLog): boolean {
    return sequence === null ? this.#keys.has(key) : this.#sequences.has(sequence);
  }
}
