/** Has the shape of the editor's own Disposable. */
export interface Disposable {
  dispose(): void;
}

/** Wraps a clean-up function, which runs only once even when the disposable is disposed of several times. */
export function toDisposable(cleanUp: () => void): Disposable {
  let done = false;
  return {
    dispose() {
      if (done) return;
      done = true;
      cleanUp();
    },
  };
}

/** Combines several disposables; disposes of them in reverse order. */
export function combine(...items: readonly Disposable[]): Disposable {
  const owned = new DisposableStore();
  for (const item of items) owned.add(item);
  return owned;
}

/** Owns listeners, timers and streams, and disposes of them in reverse order. An item that is added after that is disposed of at once. */
export class DisposableStore implements Disposable {
  readonly #items = new Set<Disposable>();
  #disposed = false;

  get isDisposed(): boolean {
    return this.#disposed;
  }

  add<T extends Disposable>(item: T): T {
    if (this.#disposed) item.dispose();
    else this.#items.add(item);
    return item;
  }

  /** Disposes of one item and removes it from the store. */
  delete(item: Disposable): void {
    if (this.#items.delete(item)) item.dispose();
  }

  dispose(): void {
    this.#disposed = true;
    const items = [...this.#items].reverse();
    this.#items.clear();
    for (const item of items) item.dispose();
  }
}
