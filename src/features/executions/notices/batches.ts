// What comes within a short time is told at once, not in a pile of messages.
import type { Disposable } from '../../../base/disposable.ts';
import type { Clock } from '../../../model/ports.ts';

const gatherMs = 1500;

export interface Batches<T> extends Disposable {
  add(item: T): void;
}

/** Hands over what came in the 1.5 s after the first; what is gathered when it is disposed of is dropped. */
export function createBatches<T>(clock: Clock, handOver: (items: readonly T[]) => void): Batches<T> {
  let gathered: T[] = [];
  let timer: Disposable | undefined;
  return {
    add: (item) => {
      gathered.push(item);
      if (gathered.length > 1) return;
      timer = clock.schedule(() => {
        const items = gathered;
        gathered = [];
        handOver(items);
      }, gatherMs);
    },
    dispose: () => {
      timer?.dispose();
    },
  };
}
