/** Milliseconds after which long work lets others go on. */
const sliceMs = 10;

/** Cuts long work into slices, so that it never holds up the editor. Ask it often: asking costs little. */
export class Slices {
  readonly #signal: AbortSignal;
  #begin = performance.now();

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /** True when it's time to let others go on. */
  get isOver(): boolean {
    return performance.now() - this.#begin >= sliceMs;
  }

  /** Lets others go on. Rejects with the signal's reason. */
  async next(): Promise<void> {
    await new Promise<void>((resolve) => setImmediate(resolve));
    this.#signal.throwIfAborted();
    this.#begin = performance.now();
  }
}
