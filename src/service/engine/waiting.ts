import { systemClock, wait } from '../../base/time.ts';
import { storageProblemOf } from '../store/storageError.ts';

/** Ends a run's work on an execution; another run continues it at `wakeAt`, in epoch milliseconds. */
export class HandOver extends Error {
  override readonly name = 'HandOver';
  readonly wakeAt: number;

  constructor(wakeAt: number) {
    super('The execution is handed over to another run.');
    this.wakeAt = wakeAt;
  }
}

/** Resolves at `wakeAt`, in epoch milliseconds, or rejects with a HandOver. */
export type WaitUntil = (wakeAt: number) => Promise<void>;

const pauseMs = 1000;
/** Problems that can pass without a restart, for example when disk space is freed. */
const passing = new Set<unknown>(['full', 'busy', 'readOnly', 'cannotOpen']);

/** Retries the work while a temporary storage problem prevents it. Rejects with the signal's reason when aborted meanwhile. */
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
