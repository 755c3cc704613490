// Real sockets with waits that take no time: deadlines stay real, everything else is due at once.
import { toDisposable } from '../../src/base/disposable.ts';
import type { Clock } from '../../src/base/time.ts';
import { timeLimits } from '../../src/api/request/sender.ts';

const deadlines = new Set<number>(Object.values(timeLimits));

/** A clock that jumps over every wait that is no deadline of a request. */
export function createHastyClock(): Clock {
  let ahead = 0;
  return {
    now: () => Date.now() + ahead,
    schedule(callback, delayMs) {
      const isDeadline = deadlines.has(delayMs);
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
