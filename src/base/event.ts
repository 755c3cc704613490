// Events in the shape of the editor's own, for the layers that don't import its API, and values that fire an event when they're replaced.
import { type Disposable, toDisposable } from './disposable.ts';

/** Subscribes a listener; the returned disposable ends the subscription. */
export type Event<T> = (listener: (value: T) => void) => Disposable;

/**
 * The sending side of an event. A listener that throws keeps neither the others from being called nor the sender from going on: its error is
 * reported as an uncaught one, as that of a platform's own event is.
 */
export class Emitter<T> implements Disposable {
  readonly #listeners = new Set<(value: T) => void>();

  get hasListeners(): boolean {
    return this.#listeners.size > 0;
  }

  readonly event: Event<T> = (listener) => {
    const own = (value: T): void => listener(value);
    this.#listeners.add(own);
    return toDisposable(() => this.#listeners.delete(own));
  };

  fire(value: T): void {
    for (const listener of [...this.#listeners])
      try {
        listener(value);
      } catch (error) {
        queueMicrotask(() => {
          throw error;
        });
      }
  }

  dispose(): void {
    this.#listeners.clear();
  }
}

export interface Observable<T> {
  readonly current: T;
  readonly onDidChange: Event<T>;
}

/** The owner's side of an observable. Setting the identical value fires no event. */
export class ObservableValue<T> implements Observable<T>, Disposable {
  readonly #emitter = new Emitter<T>();
  #current: T;

  constructor(initial: T) {
    this.#current = initial;
  }

  get current(): T {
    return this.#current;
  }

  get onDidChange(): Event<T> {
    return this.#emitter.event;
  }

  set(value: T): void {
    this.replace(value)();
  }

  /** Sets the value; the returned function fires the event. For values that must all change before the first event. */
  replace(value: T): () => void {
    if (Object.is(value, this.#current)) return () => undefined;
    this.#current = value;
    return () => this.#emitter.fire(value);
  }

  dispose(): void {
    this.#emitter.dispose();
  }
}
