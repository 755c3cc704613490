import { hashText } from './hashText.ts';

const firstSlots = 1024;
const emptySlot = 0;

/** A set of texts that keeps only their hashes: 8 to 24 bytes for each text, however long it is. */
export class TextSet {
  /** A hash table with open addressing. The number of slots is a power of two, and not all of them are used. */
  #slots = new Float64Array(firstSlots);
  #size = 0;

  has(text: string): boolean {
    if (this.#size === 0) return false;
    return this.#slots[this.#find(hashText(text))] !== emptySlot;
  }

  add(text: string): void {
    if (this.#size * 4 >= this.#slots.length * 3) this.#grow();
    this.#put(hashText(text));
  }

  /** Returns the index of the slot with this hash, or of the empty one where it belongs. */
  #find(hash: number): number {
    const mask = this.#slots.length - 1;
    let slot = hash % this.#slots.length;
    while (this.#slots[slot] !== emptySlot && this.#slots[slot] !== hash) slot = (slot + 1) & mask;
    return slot;
  }

  #put(hash: number): void {
    const slot = this.#find(hash);
    if (this.#slots[slot] !== emptySlot) return;
    this.#slots[slot] = hash;
    this.#size += 1;
  }

  #grow(): void {
    const hashes = this.#slots.filter((hash) => hash !== emptySlot);
    this.#slots = new Float64Array(this.#slots.length * 2);
    this.#size = 0;
    for (const hash of hashes) this.#put(hash);
  }
}
