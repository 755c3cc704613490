// Wakes up streams when rows are added. An interface, so that several processes can announce changes by other means.
import type { Disposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';

/** The portal events, or one execution's node logs and status. */
export type Topic = 'portalEvents' | `execution:${string}`;

/** Announces new data without carrying it: listeners read on from their own position. */
export interface Changes {
  announce(topic: Topic): void;
  subscribe(topic: Topic, listener: () => void): Disposable;
}

/** Announces within this process. */
export function createLocalChanges(): Changes {
  const emitter = new Emitter<Topic>();
  return {
    announce: (topic) => emitter.fire(topic),
    subscribe: (topic, listener) =>
      emitter.event((announced) => {
        if (announced === topic) listener();
      }),
  };
}
