/** Slots of the first table; a power of two. */
const firstSize = 1024;
/** A slot without a text. Hashes are never 0. */
const empty = 0;

/** A 52-bit hash (cyrb53), never 0. Two of a million texts share one with a probability of about 1 in 9,000. */
function hashOf(text: string): number {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    high = Math.imul(high ^ code, 2654435761);
    low = Math.imul(low ^ code, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return 4294967296 * (0xfffff & low) + (high >>> 0) + 1;
}

/** A set of texts that keeps only their hashes: 8 to 24 bytes for each text, however long it is. */
export class TextSet {
  #slots = new Float64Array(firstSize);
  #size = 0;

  has(text: string): boolean {
    if (this.#size === 0) return false;
    return this.#slots[this.#slotOf(hashOf(text))] !== empty;
  }

  add(text: string): void {
    if (this.#size * 4 >= this.#slots.length * 3) this.#grow();
    this.#put(hashOf(text));
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
