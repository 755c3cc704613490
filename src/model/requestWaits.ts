import { type Disposable, toDisposable } from '../base/disposable.ts';
import { type Observable, ObservableValue } from '../base/event.ts';
import type { Purpose } from '../domain/budget.ts';

/** A request that waits for the limit of requests. */
interface Wait {
  /** Epoch milliseconds. */
  readonly until: number;
  readonly cancel: () => void;
}

/**
 * The requests of the user's commands that wait for the limit, those for the given purposes. While a command of the user runs, its requests may wait longer, because the
 * user sees the wait and can end it.
 */
export class RequestWaits implements Disposable {
  readonly #waits = new Set<Wait>();
  readonly #until = new ObservableValue<number | null>(null);
  readonly #purposes: readonly Purpose[];
  #commands = 0;

  constructor(purposes: readonly Purpose[] = ['asked']) {
    this.#purposes = purposes;
  }

  /** Until when something waits, as epoch milliseconds; null when nothing does. */
  get until(): Observable<number | null> {
    return this.#until;
  }

  isAttended(purpose: Purpose): boolean {
    return this.#commands > 0 && this.#purposes.includes(purpose);
  }

  /** Call when a command of the user begins; dispose of the result when it ends. */
  attend(): Disposable {
    this.#commands += 1;
    return toDisposable(() => {
      this.#commands -= 1;
    });
  }

  /** Call when a request begins to wait; dispose of the result when it doesn't wait any more. */
  begin(until: number, cancel: () => void): Disposable {
    const wait = { until, cancel };
    this.#waits.add(wait);
    this.#announce();
    return toDisposable(() => {
      this.#waits.delete(wait);
      this.#announce();
    });
  }

  cancelAll(): void {
    for (const { cancel } of [...this.#waits]) cancel();
  }

  dispose(): void {
    this.#until.dispose();
  }

  #announce(): void {
    const times = [...this.#waits].map(({ until }) => until);
    this.#until.set(times.length === 0 ? null : Math.max(...times));
  }
}
