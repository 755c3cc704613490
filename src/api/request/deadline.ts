import { abortReason } from '../../base/cancellation.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { Clock } from '../../base/time.ts';

/** Provides a signal that aborts a request when its caller cancels or its time is up. Disposing aborts the request as well. */
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
