import type { Disposable } from '../../../base/disposable.ts';
import type { Clock } from '../../../base/time.ts';

const gatherMs = 1500;

export interface Batches<T> extends Disposable {
  add(item: T): void;
}

/** Hands over the items of the 1.5 s after the first one. Drops pending items when it's disposed of. */
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
