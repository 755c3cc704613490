import { systemClock, wait } from '../../base/time.ts';
import { storageProblemOf } from '../store/storageError.ts';

/** Ends a run's work on an execution; another run goes on at the time, in epoch milliseconds. */
export class HandOver extends Error {
  override readonly name = 'HandOver';
  readonly wakeAt: number;

  constructor(wakeAt: number) {
    super('The execution is handed over to another run.');
    this.wakeAt = wakeAt;
  }
}

/** Resolves at the time, in epoch milliseconds, or throws a HandOver for it. */
export type WaitUntil = (wakeAt: number) => Promise<void>;

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
