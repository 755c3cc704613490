// The service runs while a window holds a lease and ends shortly after the last lease is released.
import { type Disposable, toDisposable } from '../../base/disposable.ts';

/** How long the service waits for a window to take a lease again, for example after a reload. */
export const leaseGraceMs = 5000;

/** How long the service waits for the first lease after its start. */
export const firstLeaseMs = 30_000;

export class Leases implements Disposable {
  readonly #onEmpty: () => void;
  readonly #graceMs: number;
  #held = 0;
  #timer: NodeJS.Timeout | undefined;

  /**
   * Calls `onEmpty` when no lease has been held for `graceMs` after the last release, or when none was taken within `firstMs`;
   * undefined doesn't limit the wait for the first lease. Both are in milliseconds.
   */
  constructor(onEmpty: () => void, graceMs: number, firstMs?: number) {
    this.#onEmpty = onEmpty;
    this.#graceMs = graceMs;
    if (firstMs !== undefined) this.#timer = setTimeout(onEmpty, firstMs);
  }

  /** Keeps the service running until disposed. */
  take(): Disposable {
    this.#held += 1;
    clearTimeout(this.#timer);
    return toDisposable(() => {
      this.#held -= 1;
      if (this.#held === 0) this.#timer = setTimeout(this.#onEmpty, this.#graceMs);
    });
  }

  dispose(): void {
    clearTimeout(this.#timer);
  }
}
