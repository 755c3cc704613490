// Time is a port, so that tests can move it by hand instead of sleeping.
import { abortReason } from './async.ts';
import { type Disposable, toDisposable } from './disposable.ts';

/** Milliseconds since the epoch, or since an arbitrary moment if the time is a steady one. */
export type Now = () => number;

/** A deadline ends work that takes too long; a wait lets time pass. */
type DelayKind = 'wait' | 'deadline';

export interface Clock {
  /** Epoch milliseconds. */
  readonly now: Now;
  /** Calls back once after the delay in milliseconds, unless it's disposed of first. `kind` is 'wait' by default. */
  schedule(callback: () => void, delayMs: number, kind?: DelayKind): Disposable;
}

/** The maximum of the machine's timers. With a longer delay they would fire at once. */
const longestDelayMs = 2 ** 31 - 1;

/** The machine's own time. */
export const systemClock: Clock = {
  now: () => Date.now(),
  schedule: (callback: () => void, delayMs: number) => {
    const timer = setTimeout(callback, Math.min(delayMs, longestDelayMs));
    return toDisposable(() => clearTimeout(timer));
  },
};

/** Milliseconds since an arbitrary moment. Setting the machine's clock doesn't change it. */
export const steadyNow: Now = () => performance.now();

/**
 * Returns a time that is never set back: it goes on from where it was when the machine's clock is, and follows that clock forward, as after
 * a sleep, in which a steady one stands still.
 */
export function createForwardTime(now: Now): Now {
  let time = now();
  let at = steadyNow();
  return () => {
    const steady = steadyNow();
    time = Math.max(now(), time + steady - at);
    at = steady;
    return time;
  };
}

/** Waits on the clock, in milliseconds. Rejects with the signal's reason as soon as it's aborted. */
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

/** Returns the result of the work, or undefined if it takes longer than this many milliseconds; it goes on then. */
export function within<T>(clock: Clock, milliseconds: number, work: Promise<T>): Promise<T | undefined> {
  const late = Promise.withResolvers<undefined>();
  const timer = clock.schedule(() => late.resolve(undefined), milliseconds);
  return Promise.race([work, late.promise]).finally(() => timer.dispose());
}

/** Provides a signal that aborts work when its caller cancels or its time is up. Disposing aborts the work as well. */
export class Deadline implements Disposable {
  readonly #clock: Clock;
  readonly #outer: AbortSignal;
  readonly #controller = new AbortController();
  #timer: Disposable | undefined;
  #isExpired = false;

  constructor(clock: Clock, outer: AbortSignal) {
    this.#clock = clock;
    this.#outer = outer;
    if (outer.aborted) this.#abort();
    else outer.addEventListener('abort', this.#abort, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** True when the time was up, false when the caller cancelled. */
  get isExpired(): boolean {
    return this.#isExpired;
  }

  /** Restarts the time limit, in milliseconds. */
  restart(milliseconds: number): void {
    this.#timer?.dispose();
    if (this.signal.aborted) return;
    const expire = (): void => {
      this.#isExpired = true;
      this.#controller.abort(new DOMException('Timed out', 'TimeoutError'));
    };
    this.#timer = this.#clock.schedule(expire, milliseconds, 'deadline');
  }

  dispose(): void {
    this.#timer?.dispose();
    this.#outer.removeEventListener('abort', this.#abort);
    this.#controller.abort(new DOMException('Closed', 'AbortError'));
  }

  readonly #abort = (): void => {
    this.#timer?.dispose();
    this.#controller.abort(abortReason(this.#outer));
  };
}

/** ISO 8601 in UTC with milliseconds. */
export function toTimestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/** As most services write it. The engine reads it ten times faster; it would also take the 30th of February, so late days aren't among these. */
const usualTime =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,3})?Z$/;
const isoTime =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,30}))?)?(?:([Zz])|([+-])(\d{2})(?::?(\d{2}))?)?)?$/;

/**
 * Reads an ISO 8601 date or time, which is in UTC if it has no zone. Returns epoch milliseconds, NaN for a day or a time that doesn't
 * exist, and undefined for other text.
 */
export function parseIsoTime(text: string): number | undefined {
  if (usualTime.test(text)) return Date.parse(text);
  const found = isoTime.exec(text);
  if (!found) return undefined;
  const numberAt = (index: number): number => Number(found[index] ?? 0);
  // Date.UTC takes the years before 100 as those of the twentieth century.
  const day = new Date(0);
  day.setUTCFullYear(numberAt(1), numberAt(2) - 1, numberAt(3));
  const exists = day.getUTCMonth() === numberAt(2) - 1 && day.getUTCDate() === numberAt(3);
  // The last second of some days is the 60th.
  const isTime = numberAt(4) < 24 && numberAt(5) < 60 && numberAt(6) <= 60;
  if (!exists || !isTime || numberAt(10) > 23 || numberAt(11) > 59) return Number.NaN;
  const zone = (numberAt(10) * 60 + numberAt(11)) * (found[9] === '-' ? -1 : 1);
  const minutes = numberAt(4) * 60 + numberAt(5) - zone;
  const milliseconds = Math.floor(Number(`0.${found[7] ?? '0'}`) * 1000);
  return day.getTime() + (minutes * 60 + numberAt(6)) * 1000 + milliseconds;
}
