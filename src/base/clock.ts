// Time as a port, so that tests move it by hand instead of sleeping.
import { abortReason } from './cancellation.ts';
import { type Disposable, toDisposable } from './disposable.ts';

export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /** Calls back once after the delay in milliseconds, unless disposed of before. */
  schedule(callback: () => void, delayMs: number): Disposable;
}

/** What the machine's timers take; a longer delay would end at once. */
const longestDelayMs = 2 ** 31 - 1;

/** The machine's own time. */
export const systemClock: Clock = Object.freeze({
  now: () => Date.now(),
  schedule: (callback: () => void, delayMs: number) => {
    const timer = setTimeout(callback, Math.min(delayMs, longestDelayMs));
    return toDisposable(() => clearTimeout(timer));
  },
});

/** Waits on the clock, in milliseconds; rejects at once with the signal's reason when it is aborted. */
export function wait(clock: Clock, milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(abortReason(signal));
      return;
    }
    const onAbort = (): void => {
      timer.dispose();
      reject(abortReason(signal));
    };
    const timer = clock.schedule(() => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    }, milliseconds);
    signal.addEventListener('abort', onAbort, { once: true });
  });
}
