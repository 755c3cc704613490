import { toDisposable } from '../../src/base/disposable.ts';
import type { Clock } from '../../src/base/time.ts';

/** A clock for tests over real sockets: it jumps over every wait, and deadlines take their time. */
export function createHastyClock(): Clock {
  let ahead = 0;
  return {
    now: () => Date.now() + ahead,
    schedule(callback, delayMs, kind) {
      const isDeadline = kind === 'deadline';
      const timer = setTimeout(
        () => {
          if (!isDeadline) ahead += delayMs;
          callback();
        },
        isDeadline ? delayMs : 0,
      );
      return toDisposable(() => clearTimeout(timer));
    },
  };
}
