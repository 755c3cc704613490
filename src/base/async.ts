// Cancelling and sharing what takes time.

/** True for the error that an aborted signal causes. Its name depends on who throws it. */
export function isAbortError(error: unknown): boolean {
  return error instanceof Error && (error.name === 'AbortError' || error.name === 'Canceled');
}

/** Returns the reason of an aborted signal as an Error to reject with. */
export function abortReason(signal: AbortSignal): Error {
  return signal.reason instanceof Error ? signal.reason : new DOMException('Cancelled', 'AbortError');
}

/** Returns a function that loads on its first call and returns the same promise afterwards. After a rejection, the next call loads again. */
export function once<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined;
  return () => {
    loading ??= load().catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
}

/** Lets other work have a turn between pieces of long work, whose promises alone give none. */
export class Breaks {
  readonly #every: number;
  #done = 0;

  /** `every`: how much is done without a break. */
  constructor(every: number) {
    this.#every = every;
  }

  /** Resolves after a turn of the event loop if enough was done since the last one, else at once. */
  async take(done: number): Promise<void> {
    this.#done += done;
    if (this.#done < this.#every) return;
    this.#done = 0;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
