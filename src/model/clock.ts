// Why: real time as the Clock port, and waiting on a clock with cancellation.
import { abortReason } from '../base/cancellation.ts';
import { toDisposable } from '../base/disposable.ts';
import type { Clock } from './ports.ts';

/** The machine's own time. */
export const systemClock: Clock = Object.freeze({
  now: () => Date.now(),
  schedule: (callback: () => void, delayMs: number) => {
    const timer = setTimeout(callback, delayMs);
    return toDisposable(() => {
      clearTimeout(timer);
    });
  },
});

/** Waits on the clock, in milliseconds; rejects at once with the signal's reason when it is aborted. */
export function wait(clock: Clock, milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(abortReason(signal));
      return;
    }
    const onAbort = (): void => {
      timer.dispose();
      if (signal) reject(abortReason(signal));
    };
    const timer = clock.schedule(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
