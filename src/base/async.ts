// Cancelling and sharing what takes time.

/** True for the error that an aborted signal causes. Its name depends on who throws it. */
export function isAbortError(error: unknown): boolean {
  return error instanceof Error && (error.name === 'AbortError' || error.name === 'Canceled');
}

/** Returns the reason of an aborted signal as an Error to reject with. */
export function abortReason(signal: AbortSignal): Error {
  return signal.reason instanceof Error ? signal.reason : new DOMException('Cancelled', 'AbortError');
}

/** Rejects with the signal's reason as soon as it's aborted, whatever happens to the promise then. */
export function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(abortReason(signal));
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
    const settled = (): void => signal.removeEventListener('abort', onAbort);
    promise.then(resolve, reject).finally(settled);
  });
}

/** Resolves as soon as the signal is aborted. */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
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

/** Returns a function that begins each work when those before it are over, whether or not they have failed. */
export function oneAtATime(): <T>(work: () => Promise<T>) => Promise<T> {
  let before: Promise<unknown> = Promise.resolve();
  return (work) => {
    const turn = before.then(work);
    before = turn.catch(() => undefined);
    return turn;
  };
}

/** Works on a few items at once, and returns the results in the order of the items. After a rejection, no other item is begun. */
export async function mapAtOnce<T, R>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = [];
  const entries = items.entries();
  let hasFailed = false;
  const worker = async (): Promise<void> => {
    for (const [index, item] of entries) {
      if (hasFailed) return;
      try {
        results[index] = await work(item);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker));
  return results;
}
