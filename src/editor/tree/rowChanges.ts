import type { Disposable } from '../../base/disposable.ts';
import { Pulse } from '../../base/pulse.ts';
import type { Clock } from '../../base/time.ts';

/** The shortest time between two announcements. The editor draws rows only after 200 ms without another one. */
const pauseMs = 300;

/** In milliseconds. Rows that are handed to the editor have arrived in its window then. */
const deliveryMs = 100;

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
  #delivery: Disposable | undefined;
  readonly #arrival: Pulse;

  constructor(clock: Clock, announce: (keys: ReadonlySet<string> | undefined) => void) {
    this.#announce = announce;
    this.#pulse = new Pulse(clock, () => this.#flush(), { pause: pauseMs });
    this.#arrival = new Pulse(clock, () => this.#arrive(), { first: deliveryMs });
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

  /**
   * Call when rows are handed to the editor. Announces nothing until they have arrived: what is announced meanwhile can overtake them. The window
   * then keeps them, while the extension host has forgotten them, and shows nothing below one that is unfolded.
   */
  deliver(): void {
    this.#delivery ??= this.hold();
    this.#arrival.askAtRest();
  }

  dispose(): void {
    this.#pulse.dispose();
    this.#arrival.dispose();
  }

  #arrive(): void {
    this.#delivery?.dispose();
    this.#delivery = undefined;
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
