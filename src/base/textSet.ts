import { emptySlot, findSlot, firstSlots, isCrowded } from './hashSlots.ts';
import { hashText } from './hashText.ts';

/** A set of texts that keeps only their hashes: 8 to 24 bytes for each text, however long it is. */
export class TextSet {
  #slots = new Float64Array(firstSlots);
  #size = 0;

  has(text: string): boolean {
    if (this.#size === 0) return false;
    return this.#slots[findSlot(this.#slots, hashText(text))] !== emptySlot;
  }

  add(text: string): void {
    if (isCrowded(this.#slots, this.#size)) this.#grow();
    this.#put(hashText(text));
  }

  #put(hash: number): void {
    const slot = findSlot(this.#slots, hash);
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
