// Whose work a free worker takes next. A party that has had little of the workers goes before one that has had much, so that quick work
// waits for one slow piece of others at most and not for one of each.

interface Entry<T> {
  readonly party: string;
  readonly item: T;
}

/** Work that waits, each piece for its party. One party's pieces keep their order. */
export class Turns<T> {
  /** In the order of their arrival. */
  readonly #waiting: Entry<T>[] = [];
  /** Where each party goes on, in milliseconds of the workers' time; only of those that are ahead. */
  readonly #ahead = new Map<string, number>();
  /** Where the work stands that was begun last. Who comes anew begins here: what nobody else wanted isn't held against anyone. */
  #reached = 0;

  get size(): number {
    return this.#waiting.length;
  }

  add(party: string, item: T): void {
    this.#waiting.push({ party, item });
  }

  remove(item: T): void {
    const index = this.#waiting.findIndex((entry) => entry.item === item);
    if (index !== -1) this.#waiting.splice(index, 1);
  }

  /** Removes and returns the piece that is next: of those that have had the same, the one that has waited longest. */
  take(): Entry<T> | undefined {
    let next = -1;
    let reached = Infinity;
    for (const [index, { party }] of this.#waiting.entries()) {
      const own = this.#placeOf(party);
      if (own >= reached) continue;
      next = index;
      reached = own;
    }
    if (next === -1) return undefined;
    this.#reached = reached;
    for (const [party, place] of this.#ahead) if (place <= reached) this.#ahead.delete(party);
    return this.#waiting.splice(next, 1)[0];
  }

  /** Says that a worker has worked for the party for so long. */
  charge(party: string, milliseconds: number): void {
    this.#ahead.set(party, this.#placeOf(party) + milliseconds);
  }

  /** Removes and returns all that waits. */
  clear(): readonly T[] {
    return this.#waiting.splice(0).map(({ item }) => item);
  }

  #placeOf(party: string): number {
    return Math.max(this.#reached, this.#ahead.get(party) ?? 0);
  }
}
