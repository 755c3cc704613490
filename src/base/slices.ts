// Long work has to yield to the event loop, which its promises alone don't do.

function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Milliseconds after which long work yields. */
const sliceMs = 10;

/** Cuts long work into slices, so that it never blocks the editor. Ask it often: asking costs little. */
export class Slices {
  readonly #signal: AbortSignal;
  #begin = performance.now();

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /** True when it's time to yield. */
  get isOver(): boolean {
    return performance.now() - this.#begin >= sliceMs;
  }

  /** Yields to the event loop. Rejects with the signal's reason. */
  async next(): Promise<void> {
    await yieldToEventLoop();
    this.#signal.throwIfAborted();
    this.#begin = performance.now();
  }
}

/** The same for work that waits in between, and is measured by how much of it was done. */
export class Breaks {
  readonly #every: number;
  #done = 0;

  /** `every`: how much is done without a break. */
  constructor(every: number) {
    this.#every = every;
  }

  /** Yields to the event loop if enough was done since the last time, else resolves at once. */
  async take(done: number): Promise<void> {
    this.#done += done;
    if (this.#done < this.#every) return;
    this.#done = 0;
    await yieldToEventLoop();
  }
}
