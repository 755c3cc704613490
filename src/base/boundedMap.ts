/** A map with a maximum size. Beyond it, the entry that was set longest ago is removed. */
export class BoundedMap<K, V> {
  readonly #entries = new Map<K, V>();
  /**
   * Continues at the oldest entry, because every key that it has passed was removed. A new iterator would step over all removed entries.
   * Until it moves on, an iterator keeps the memory that its map has outgrown, so it's only kept while each new key moves it.
   */
  #oldest: Iterator<K> | undefined;
  readonly #maximum: number;

  constructor(maximum: number) {
    this.#maximum = maximum;
  }

  get(key: K): V | undefined {
    return this.#entries.get(key);
  }

  set(key: K, value: V): void {
    this.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size <= this.#maximum) return;
    this.#oldest ??= this.#entries.keys();
    const oldest = this.#oldest.next();
    if (oldest.done !== true) this.#entries.delete(oldest.value);
  }

  delete(key: K): void {
    if (this.#entries.delete(key)) this.#oldest = undefined;
  }
}
