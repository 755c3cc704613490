// An async generator cannot be returned while it waits; this one is cancelled first.

/** Starts anew for each iteration. Returning the iterator, or aborting the outer signal, cancels what it waits for. */
export function closeable<T>(
  start: (signal: AbortSignal) => AsyncGenerator<T, void, void>,
  outer: AbortSignal,
): AsyncIterable<T> {
  return {
    [Symbol.asyncIterator]() {
      const closing = new AbortController();
      const items = start(AbortSignal.any([outer, closing.signal]));
      return {
        next: () => items.next(),
        async return() {
          closing.abort(new DOMException('Cancelled', 'AbortError'));
          return items.return();
        },
      };
    },
  };
}
