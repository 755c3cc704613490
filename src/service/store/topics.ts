import { type Disposable, toDisposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';

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

/** An event for each topic. */
export class Topics {
  readonly #events = new Map<Topic, Emitter<void>>();

  subscribe(topic: Topic, listener: () => void): Disposable {
    const event = this.#events.get(topic) ?? new Emitter<void>();
    this.#events.set(topic, event);
    const subscription = event.event(listener);
    return toDisposable(() => {
      subscription.dispose();
      if (!event.hasListeners) this.#events.delete(topic);
    });
  }

  fire(topic: Topic): void {
    this.#events.get(topic)?.fire();
  }

  fireAll(): void {
    for (const event of [...this.#events.values()]) event.fire();
  }
}
