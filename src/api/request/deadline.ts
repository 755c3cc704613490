// One signal that ends a request when its caller does, when its client does, or when time is up.
import { abortReason } from '../../base/cancellation.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { Clock } from '../../base/time.ts';

export interface Deadline extends Disposable {
  readonly signal: AbortSignal;
  /** True when time was up, as against cancelled. */
  readonly isExpired: boolean;
  /** Counts anew, in milliseconds. */
  restart(milliseconds: number): void;
}

/** Disposing ends the request as well. */
export function createDeadline(clock: Clock, outer: AbortSignal): Deadline {
  const controller = new AbortController();
  let timer: Disposable | undefined;
  let isExpired = false;
  const onAbort = (): void => {
    timer?.dispose();
    controller.abort(abortReason(outer));
  };
  if (outer.aborted) onAbort();
  else outer.addEventListener('abort', onAbort, { once: true });
  return {
    signal: controller.signal,
    get isExpired() {
      return isExpired;
    },
    restart(milliseconds) {
      timer?.dispose();
      if (controller.signal.aborted) return;
      timer = clock.schedule(() => {
        isExpired = true;
        controller.abort(new DOMException('Timed out', 'TimeoutError'));
      }, milliseconds);
    },
    dispose() {
      timer?.dispose();
      outer.removeEventListener('abort', onAbort);
      controller.abort(new DOMException('Closed', 'AbortError'));
    },
  };
}
