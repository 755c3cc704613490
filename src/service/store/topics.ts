import { type Disposable, toDisposable } from '../../base/disposable.ts';

const wholeTopics = ['portalEvents', 'work', 'keys', 'secrets'] as const;
const topicsOfOne = ['execution', 'cancelled'] as const;

/**
 * The portal events, work for an engine, revocations of keys, changes of secrets, one execution's node logs and status, or that it was
 * cancelled.
 */
export type Topic = (typeof wholeTopics)[number] | `${(typeof topicsOfOne)[number]}:${string}`;

export function isTopic(value: unknown): value is Topic {
  if (typeof value !== 'string') return false;
  return (
    wholeTopics.some((topic) => topic === value) || topicsOfOne.some((kind) => value.startsWith(`${kind}:`))
  );
}

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
