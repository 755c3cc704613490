import { abortReason, isAbortError } from '../../base/async.ts';
import type { Priority } from '../../domain/budget.ts';

interface Flight<T> {
  readonly rank: number;
  readonly controller: AbortController;
  readonly result: Promise<T>;
  callers: number;
}

/** `attended`: the user sees how long it waits. */
type Urgency = Priority | 'attended';

const rank: Readonly<Record<Urgency, number>> = { attended: 0, user: 1, follow: 2, background: 3 };

/** Joins equal reads that run at the same time, so that they cost one request. */
export class SharedReads<T> {
  readonly #flights = new Map<string, Flight<T>>();

  /** Joins an equal read in progress, or starts one. The read is cancelled when all its callers cancel. */
  read(
    key: string,
    urgency: Urgency,
    signal: AbortSignal,
    start: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    if (signal.aborted) return Promise.reject(abortReason(signal));
    const current = this.#flights.get(key);
    // A read that waits at a lower priority would delay the user's, and one out of sight waits without a word, and gives up earlier.
    const isUsable = current !== undefined && current.rank <= rank[urgency];
    const flight = isUsable ? current : this.#begin(key, urgency, start);
    const joined = this.#join(key, flight, signal);
    if (flight.rank === rank[urgency]) return joined;
    // The user may have cancelled a wait that this caller didn't show.
    return joined.catch((error: unknown) => {
      if (signal.aborted || !isAbortError(error)) throw error;
      return this.read(key, urgency, signal, start);
    });
  }

  /** Makes later callers start a new read: a read in progress may not include a change that was just made. */
  detach(): void {
    this.#flights.clear();
  }

  #begin(key: string, urgency: Urgency, start: (signal: AbortSignal) => Promise<T>): Flight<T> {
    const controller = new AbortController();
    const flight = { rank: rank[urgency], controller, result: start(controller.signal), callers: 0 };
    this.#flights.set(key, flight);
    const done = (): void => this.#forget(key, flight);
    flight.result.then(done, done);
    return flight;
  }

  #join(key: string, flight: Flight<T>, signal: AbortSignal): Promise<T> {
    flight.callers += 1;
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        flight.callers -= 1;
        if (flight.callers === 0) {
          this.#forget(key, flight);
          flight.controller.abort(abortReason(signal));
        }
        reject(abortReason(signal));
      };
      signal.addEventListener('abort', onAbort, { once: true });
      const settled = (): void => signal.removeEventListener('abort', onAbort);
      flight.result.then(resolve, reject).finally(settled);
    });
  }

  #forget(key: string, flight: Flight<T>): void {
    if (this.#flights.get(key) === flight) this.#flights.delete(key);
  }
}
