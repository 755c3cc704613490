// State is a value that is replaced as a whole, can be read at any time, and fires an event when it changes.
import type { Disposable } from './disposable.ts';
import { Emitter, type Event } from './event.ts';

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
