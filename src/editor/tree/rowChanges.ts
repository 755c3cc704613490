import type { Disposable } from '../../base/disposable.ts';
import { Pulse } from '../../base/pulse.ts';
import type { Clock } from '../../base/time.ts';

/** The shortest time between two announcements. The editor draws rows only after 200 ms without another one. */
const pauseMs = 300;

/**
 * Gathers which rows have changed. Announces the first change after a pause at once, and all others together when the pause is over.
 * `announce` gets the keys of the rows; undefined stands for all rows.
 */
export class RowChanges implements Disposable {
  readonly #announce: (keys: ReadonlySet<string> | undefined) => void;
  /** What is still to be announced. */
  #keys = new Set<string>();
  #isOfAll = false;
  readonly #pulse: Pulse;

  constructor(clock: Clock, announce: (keys: ReadonlySet<string> | undefined) => void) {
    this.#announce = announce;
    this.#pulse = new Pulse(clock, () => this.#flush(), { pause: pauseMs });
  }

  /** Without keys: all rows have changed. */
  add(keys?: readonly string[]): void {
    if (keys?.length === 0) return;
    if (keys === undefined) this.#isOfAll = true;
    else for (const key of keys) this.#keys.add(key);
    this.#pulse.ask();
  }

  dispose(): void {
    this.#pulse.dispose();
  }

  #flush(): void {
    const keys = this.#isOfAll ? undefined : this.#keys;
    this.#keys = new Set();
    this.#isOfAll = false;
    this.#announce(keys);
  }
}
