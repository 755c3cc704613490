// The service runs while a window holds a lease and ends shortly after the last lease is released.
import { type Disposable, toDisposable } from '../../base/disposable.ts';

/** How long the service waits for a window to take a lease again, for example after a reload. */
export const leaseGraceMs = 5000;

/** How long the service waits for the first lease after its start. */
export const firstLeaseMs = 30_000;

export interface Leases extends Disposable {
  /** Keeps the service running until disposed. */
  take(): Disposable;
}

/**
 * Calls `onEmpty` when no lease has been held for `graceMs` after the last release, or when none was taken within `firstMs`;
 * undefined doesn't limit the wait for the first lease. Both are in milliseconds.
 */
export function createLeases(onEmpty: () => void, graceMs: number, firstMs?: number): Leases {
  let held = 0;
  let timer = firstMs === undefined ? undefined : setTimeout(onEmpty, firstMs);
  return {
    take() {
      held += 1;
      clearTimeout(timer);
      return toDisposable(() => {
        held -= 1;
        if (held === 0) timer = setTimeout(onEmpty, graceMs);
      });
    },
    dispose: () => clearTimeout(timer),
  };
}
