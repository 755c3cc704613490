/** How long work may follow work without a turn of the event loop, in milliseconds. */
const longestTurnMs = 4;

/** Runs one piece of work after another, in the order of the calls; short work goes before what waits for long. */
export class Line {
  readonly #short: (() => void)[] = [];
  readonly #long: (() => void)[] = [];
  #isBusy = false;
  #turnBegan = 0;
  #isTurnKnown = false;

  /** Runs synchronous work at once, or as soon as the work under way has ended. */
  async short<T>(work: () => T): Promise<T> {
    if (this.#isBusy) await this.#wait(this.#short);
    this.#isBusy = true;
    try {
      return work();
    } finally {
      this.#next();
    }
  }

  /** Runs work that other work may not interrupt, such as a transaction. */
  async long<T>(work: () => Promise<T>): Promise<T> {
    if (this.#isBusy) await this.#wait(this.#long);
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
    const short = this.#short.shift();
    if (short) {
      short();
      return;
    }
    const long = this.#long.shift();
    if (!long) this.#isBusy = false;
    else if (this.#hasTurnTime()) long();
    // Answers are sent and requests are read between two turns of the event loop only.
    else setImmediate(() => this.#afterTurn(long));
  }

  #afterTurn(long: () => void): void {
    this.#isTurnKnown = false;
    const short = this.#short.shift();
    if (!short) {
      long();
      return;
    }
    this.#long.unshift(long);
    short();
  }

  #hasTurnTime(): boolean {
    const now = performance.now();
    if (!this.#isTurnKnown) {
      this.#isTurnKnown = true;
      this.#turnBegan = now;
      setImmediate(() => {
        this.#isTurnKnown = false;
      });
    }
    return now - this.#turnBegan < longestTurnMs;
  }
}
