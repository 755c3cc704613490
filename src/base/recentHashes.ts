import { emptySlot, findSlot, firstSlots, isCrowded } from './hashSlots.ts';

/** Numbers by hash. */
class HashTable {
  #keys = new Float64Array(firstSlots);
  #values = new Float64Array(firstSlots);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get(key: number): number | undefined {
    const slot = findSlot(this.#keys, key);
    return this.#keys[slot] === emptySlot ? undefined : this.#values[slot];
  }

  set(key: number, value: number): void {
    if (isCrowded(this.#keys, this.#size)) this.#grow();
    const slot = findSlot(this.#keys, key);
    if (this.#keys[slot] === emptySlot) this.#size += 1;
    this.#keys[slot] = key;
    this.#values[slot] = value;
  }

  clear(): void {
    this.#keys.fill(emptySlot);
    this.#size = 0;
  }

  #grow(): void {
    const [keys, values] = [this.#keys, this.#values];
    this.#keys = new Float64Array(keys.length * 2);
    this.#values = new Float64Array(keys.length * 2);
    this.#size = 0;
    for (const [at, key] of keys.entries()) if (key !== emptySlot) this.set(key, values[at] ?? 0);
  }
}

/**
 * Remembers a number for each of the latest keys, which are hashes other than 0. Its memory stays the same while keys come and go, unlike
 * that of a map: at most 85 bytes for each key that it must remember.
 */
export class RecentHashes {
  readonly #minimum: number;
  #latest = new HashTable();
  #earlier = new HashTable();

  /** `minimum`: so many of the keys that were set last are remembered, at most twice as many. */
  constructor(minimum: number) {
    this.#minimum = minimum;
  }

  get(key: number): number | undefined {
    return this.#latest.get(key) ?? this.#earlier.get(key);
  }

  set(key: number, value: number): void {
    if (this.#latest.size >= this.#minimum) {
      [this.#latest, this.#earlier] = [this.#earlier, this.#latest];
      this.#latest.clear();
    }
    this.#latest.set(key, value);
  }
}
