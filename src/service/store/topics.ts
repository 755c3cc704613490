import { type Disposable, toDisposable } from '../../base/disposable.ts';

/** The portal events, work for an engine, revocations of keys, changes of secrets, or one execution's node logs and status. */
export type Topic = 'portalEvents' | 'work' | 'keys' | 'secrets' | `execution:${string}`;

/** The listeners of each topic. */
export class Topics {
  readonly #listeners = new Map<Topic, Set<() => void>>();

  subscribe(topic: Topic, listener: () => void): Disposable {
    const listeners = this.#listeners.get(topic) ?? new Set();
    // The same function may subscribe twice.
    const own = (): void => listener();
    this.#listeners.set(topic, listeners.add(own));
    return toDisposable(() => {
      listeners.delete(own);
      if (listeners.size === 0 && this.#listeners.get(topic) === listeners) this.#listeners.delete(topic);
    });
  }

  fire(topic: Topic): void {
    for (const listener of [...(this.#listeners.get(topic) ?? [])]) listener();
  }

  fireAll(): void {
    for (const topic of [...this.#listeners.keys()]) this.fire(topic);
  }
}
