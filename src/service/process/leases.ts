// The service lives as long as a window holds it; it ends a little after the last one let go.
import { type Disposable, toDisposable } from '../../base/disposable.ts';

/** How long a window has to come back, as it does when it reloads. */
export const leaseGraceMs = 5000;

/** How long the window that started the service has to hold it, before it counts as gone. */
export const firstLeaseMs = 30_000;

export interface Leases extends Disposable {
  /** Holds the service until disposed of. */
  take(): Disposable;
}

/** Calls `onEmpty` once, a while after the last lease was given back, and when none was taken within `firstMs`; undefined waits for ever. */
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
