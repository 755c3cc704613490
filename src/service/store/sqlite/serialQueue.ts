/** How long work may follow work before the event loop gets a turn, in milliseconds. */
const longestSliceMs = 4;

/** Runs one piece of work at a time, in the order of the calls; synchronous work goes before exclusive work that waits. */
export class SerialQueue {
  readonly #sync: (() => void)[] = [];
  readonly #exclusive: (() => void)[] = [];
  #isBusy = false;
  #sliceStartedAt = 0;
  #isSliceStartKnown = false;

  /** Runs synchronous work at once, or as soon as the work under way has ended. */
  async runSync<T>(work: () => T): Promise<T> {
    if (this.#isBusy) await this.#wait(this.#sync);
    this.#isBusy = true;
    try {
      return work();
    } finally {
      this.#next();
    }
  }

  /** Runs work that other work may not interrupt, such as a transaction. */
  async runExclusive<T>(work: () => Promise<T>): Promise<T> {
    if (this.#isBusy) await this.#wait(this.#exclusive);
    this.#isBusy = true;
    try {
      return await work();
    } finally {
      this.#next();
    }
  }

  #wait(queue: (() => void)[]): Promise<void> {
    return new Promise((resolve) => queue.push(resolve));
  }

  /** Stays busy while work waits, so that no later call overtakes it. */
  #next(): void {
    const runSync = this.#sync.shift();
    if (runSync) {
      runSync();
      return;
    }
    const runExclusive = this.#exclusive.shift();
    if (!runExclusive) this.#isBusy = false;
    else if (this.#hasSliceTime()) runExclusive();
    // Responses are sent and requests are read only between two turns of the event loop.
    else setImmediate(() => this.#continueInNextSlice(runExclusive));
  }

  #continueInNextSlice(runExclusive: () => void): void {
    this.#isSliceStartKnown = false;
    const runSync = this.#sync.shift();
    if (!runSync) {
      runExclusive();
      return;
    }
    this.#exclusive.unshift(runExclusive);
    runSync();
  }

  #hasSliceTime(): boolean {
    const now = performance.now();
    if (!this.#isSliceStartKnown) {
      this.#isSliceStartKnown = true;
      this.#sliceStartedAt = now;
      setImmediate(() => {
        this.#isSliceStartKnown = false;
      });
    }
    return now - this.#sliceStartedAt < longestSliceMs;
  }
}
