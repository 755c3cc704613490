// Streams wake up when rows were added; a port of its own, so that several workers can announce by other means later.
import type { Disposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';

/** What grew: the portal events, or one execution's logs and status. */
export type Topic = 'portalEvents' | `execution:${string}`;

/** Announces that something new can be read. Carries no data: who hears it reads from where it stopped. */
export interface Changes {
  announce(topic: Topic): void;
  subscribe(topic: Topic, listener: () => void): Disposable;
}

/** Announcements within this process. */
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
