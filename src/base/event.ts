// Events for the layers that don't import the editor's API, in the shape of the editor's own.
import { type Disposable, toDisposable } from './disposable.ts';

/** Subscribes a listener; the returned disposable ends the subscription. */
export type Event<T> = (listener: (value: T) => void) => Disposable;

/** The sending side of an event. When a listener throws, the others are still called. */
export class Emitter<T> implements Disposable {
  readonly #listeners = new Set<(value: T) => void>();

  readonly event: Event<T> = (listener) => {
    const own = (value: T): void => listener(value);
    this.#listeners.add(own);
    return toDisposable(() => this.#listeners.delete(own));
  };

  fire(value: T): void {
    const failures: unknown[] = [];
    for (const listener of [...this.#listeners]) {
      try {
        listener(value);
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw new AggregateError(failures, 'A listener failed.');
  }

  dispose(): void {
    this.#listeners.clear();
  }
}
