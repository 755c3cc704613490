// Two callers that ask the same at the same time cost one request.
import { abortReason } from '../../base/cancellation.ts';
import type { Priority } from '../../domain/budget.ts';

export interface SharedReads<T> {
  /** Joins an equal read in flight, or starts one. The read is cancelled when all its callers are. */
  read(
    key: string,
    priority: Priority,
    signal: AbortSignal,
    start: (signal: AbortSignal) => Promise<T>,
  ): Promise<T>;
  /** Later readers start anew: something was changed that a read under way may not have seen. */
  detach(): void;
}

interface Flight<T> {
  readonly rank: number;
  readonly controller: AbortController;
  readonly result: Promise<T>;
  callers: number;
}

const rank: Readonly<Record<Priority, number>> = { user: 0, follow: 1, background: 2 };

export function createSharedReads<T>(): SharedReads<T> {
  const flights = new Map<string, Flight<T>>();

  function forget(key: string, flight: Flight<T>): void {
    if (flights.get(key) === flight) flights.delete(key);
  }

  function begin(key: string, priority: Priority, start: (signal: AbortSignal) => Promise<T>): Flight<T> {
    const controller = new AbortController();
    const flight = { rank: rank[priority], controller, result: start(controller.signal), callers: 0 };
    flights.set(key, flight);
    const done = (): void => forget(key, flight);
    flight.result.then(done, done);
    return flight;
  }

  function join(key: string, flight: Flight<T>, signal: AbortSignal): Promise<T> {
    flight.callers += 1;
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        flight.callers -= 1;
        if (flight.callers === 0) {
          forget(key, flight);
          flight.controller.abort(abortReason(signal));
        }
        reject(abortReason(signal));
      };
      signal.addEventListener('abort', onAbort, { once: true });
      const settled = (): void => signal.removeEventListener('abort', onAbort);
      flight.result.then(resolve, reject).finally(settled);
    });
  }

  return {
    read(key, priority, signal, start) {
      if (signal.aborted) return Promise.reject(abortReason(signal));
      const current = flights.get(key);
      // A read that waits its turn in the background would hold the user's up.
      const isUsable = current !== undefined && current.rank <= rank[priority];
      return join(key, isUsable ? current : begin(key, priority, start), signal);
    },
    detach() {
      flights.clear();
    },
  };
}
