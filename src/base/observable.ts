// State is held in one way: a value that is replaced as a whole, read at any time and announced when it changes.
import type { Disposable } from './disposable.ts';
import { Emitter, type Event } from './event.ts';

export interface Observable<T> {
  readonly current: T;
  readonly onDidChange: Event<T>;
}

/** The owner's side of an observable. Setting the identical value announces nothing. */
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

  /** Sets the value now; the returned function announces it. For values that must change together before either is announced. */
  replace(value: T): () => void {
    if (Object.is(value, this.#current)) return () => undefined;
    this.#current = value;
    return () => this.#emitter.fire(value);
  }

  dispose(): void {
    this.#emitter.dispose();
  }
}
