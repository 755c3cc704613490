import { hashText } from './hashText.ts';

/** Slots of the first table; a power of two. */
const firstSize = 1024;
/** A slot without a text. Hashes are never 0. */
const empty = 0;

/** A set of texts that keeps only their hashes: 8 to 24 bytes for each text, however long it is. */
export class TextSet {
  #slots = new Float64Array(firstSize);
  #size = 0;

  has(text: string): boolean {
    if (this.#size === 0) return false;
    return this.#slots[this.#slotOf(hashText(text))] !== empty;
  }

  add(text: string): void {
    if (this.#size * 4 >= this.#slots.length * 3) this.#grow();
    this.#put(hashText(text));
  }

  #put(hash: number): void {
    const slot = this.#slotOf(hash);
    if (this.#slots[slot] !== empty) return;
    this.#slots[slot] = hash;
    this.#size += 1;
  }

  /** The slot with this hash, or the empty one where it belongs. */
  #slotOf(hash: number): number {
    const mask = this.#slots.length - 1;
    let slot = hash % this.#slots.length;
    while (this.#slots[slot] !== empty && this.#slots[slot] !== hash) slot = (slot + 1) & mask;
    return slot;
  }

  #grow(): void {
    const hashes = this.#slots.filter((hash) => hash !== empty);
    this.#slots = new Float64Array(this.#slots.length * 2);
    this.#size = 0;
    for (const hash of hashes) this.#put(hash);
  }
}
