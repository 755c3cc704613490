// What has happened is written down before anything else happens: a disk that's full for now is waited for.
import { systemClock, wait } from '../../base/time.ts';
import { storageProblemOf } from '../store/storageError.ts';

const pauseMs = 1000;
/** What ends by itself, or with room on the disk. */
const passing = new Set<unknown>(['full', 'busy', 'readOnly', 'cannotOpen']);

/** Does the work, again and again while the data can't be written for now. Rejects with the signal's reason when it's aborted meanwhile. */
export async function untilKept<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!passing.has(storageProblemOf(error))) throw error;
    }
    await wait(systemClock, pauseMs, signal);
  }
}
