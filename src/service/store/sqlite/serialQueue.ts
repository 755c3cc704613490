/** How long work may follow work without a turn of the event loop, in milliseconds. */
const longestSliceMs = 4;

/** Runs one piece of work after another, in the order of the calls; short work goes before what waits for long. */
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

  /** Stays busy while somebody waits, so that nobody overtakes them. */
  #next(): void {
    const runSync = this.#sync.shift();
    if (runSync) {
      runSync();
      return;
    }
    const runExclusive = this.#exclusive.shift();
    if (!runExclusive) this.#isBusy = false;
    else if (this.#hasSliceTime()) runExclusive();
    // Answers are sent and requests are read between two turns of the event loop only.
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
