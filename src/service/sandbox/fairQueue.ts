// Decides whose work a free worker takes next. An owner that has used the workers less goes before one that has used them more, so quick
// work waits for at most one slow piece of others, not for one of each.

interface QueueEntry<T> {
  readonly owner: string;
  readonly item: T;
}

/** Waiting work of several owners. The work of one owner keeps its order. */
export class FairQueue<T> {
  /** In the order of their arrival. */
  readonly #waiting: QueueEntry<T>[] = [];
  /** The virtual time at which each owner's next work starts, in milliseconds; only of owners ahead of the queue. */
  readonly #ahead = new Map<string, number>();
  /** The virtual time of the work that was taken last. A new owner starts here, so time that no other owner wanted isn't charged. */
  #reached = 0;

  get size(): number {
    return this.#waiting.length;
  }

  add(owner: string, item: T): void {
    this.#waiting.push({ owner, item });
  }

  remove(item: T): void {
    const index = this.#waiting.findIndex((entry) => entry.item === item);
    if (index !== -1) this.#waiting.splice(index, 1);
  }

  /** Removes and returns the next work. Of owners with the same use, the one that has waited longest comes first. */
  take(): QueueEntry<T> | undefined {
    let next = -1;
    let reached = Infinity;
    for (const [index, { owner }] of this.#waiting.entries()) {
      const own = this.#placeOf(owner);
      if (own >= reached) continue;
      next = index;
      reached = own;
    }
    if (next === -1) return undefined;
    this.#reached = reached;
    for (const [owner, place] of this.#ahead) if (place <= reached) this.#ahead.delete(owner);
    return this.#waiting.splice(next, 1)[0];
  }

  /** Adds the time that a worker has worked for the owner. */
  charge(owner: string, milliseconds: number): void {
    this.#ahead.set(owner, this.#placeOf(owner) + milliseconds);
  }

  /** Removes and returns all waiting work. */
  clear(): readonly T[] {
    return this.#waiting.splice(0).map(({ item }) => item);
  }

  #placeOf(owner: string): number {
    return Math.max(this.#reached, this.#ahead.get(owner) ?? 0);
  }
}
