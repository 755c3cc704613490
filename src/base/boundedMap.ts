/** A map with a maximum size. Beyond it, the entries that were set longest ago are removed. */
export class BoundedMap<K, V> {
  readonly #entries = new Map<K, V>();
  /**
   * Continues at the oldest entry, because every key that it has passed was removed. A new iterator would step over all removed entries.
   * Until it moves on, an iterator keeps the memory that its map has outgrown, so it's only kept while each new key moves it.
   */
  #oldest: Iterator<K> | undefined;
  readonly #maximum: number;
  readonly #sizeOf: (value: V) => number;
  #size = 0;

  /** `sizeOf`: what a value counts; default 1. The newest entry stays however large it is. */
  constructor(maximum: number, sizeOf: (value: V) => number = () => 1) {
    this.#maximum = maximum;
    this.#sizeOf = sizeOf;
  }

  get(key: K): V | undefined {
    return this.#entries.get(key);
  }

  set(key: K, value: V): void {
    this.delete(key);
    this.#entries.set(key, value);
    this.#size += this.#sizeOf(value);
    while (this.#size > this.#maximum && this.#entries.size > 1) {
      this.#oldest ??= this.#entries.keys();
      const oldest = this.#oldest.next();
      if (oldest.done === true) return;
      this.#remove(oldest.value);
    }
  }

  delete(key: K): void {
    if (this.#remove(key)) this.#oldest = undefined;
  }

  #remove(key: K): boolean {
    const value = this.#entries.get(key);
    if (value !== undefined) this.#size -= this.#sizeOf(value);
    return this.#entries.delete(key);
  }
}
