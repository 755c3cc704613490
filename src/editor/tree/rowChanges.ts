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
  #holds = 0;

  constructor(clock: Clock, announce: (keys: ReadonlySet<string> | undefined) => void) {
    this.#announce = announce;
    this.#pulse = new Pulse(clock, () => this.#flush(), { pause: pauseMs });
  }

  /** Without keys: all rows have changed. */
  add(keys?: readonly string[]): void {
    if (keys?.length === 0) return;
    if (keys === undefined) this.#isOfAll = true;
    else for (const key of keys) this.#keys.add(key);
    this.#ask();
  }

  /**
   * Announces nothing until it's disposed of, and then what has changed meanwhile: at once after a pause, so that one hold after the other
   * lets it through.
   */
  hold(): Disposable {
    this.#holds += 1;
    this.#pulse.cancel();
    let isHeld = true;
    return {
      dispose: () => {
        if (isHeld) this.#holds -= 1;
        isHeld = false;
        this.#ask();
      },
    };
  }

  dispose(): void {
    this.#pulse.dispose();
  }

  #ask(): void {
    if (this.#holds === 0 && (this.#isOfAll || this.#keys.size > 0)) this.#pulse.ask();
  }

  #flush(): void {
    const keys = this.#isOfAll ? undefined : this.#keys;
    this.#keys = new Set();
    this.#isOfAll = false;
    this.#announce(keys);
  }
}
