import type { Disposable } from '../../base/disposable.ts';
import type { Clock } from '../../base/time.ts';

/** A view whose rows show ages. */
export interface AgedView {
  /**
   * Redraws the rows in sight whose text has changed with time: all of them, or only those that count seconds. Returns whether any row
   * in sight counts seconds.
   */
  tick(isOfAll: boolean): boolean;
}

const agesEveryMs = 30_000;
const secondMs = 1000;

/**
 * The one time that all ages on the screen are counted to, so that they never contradict each other. It moves every 30 s while somebody
 * looks at a view; rows that count seconds are drawn each second. Without anybody looking it has no timer.
 */
export class Ages implements Disposable {
  readonly #clock: Clock;
  /** The views, and whether somebody looks at each. */
  readonly #views = new Map<AgedView, boolean>();
  #now: number;
  #isCounting = false;
  #timer: Disposable | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#now = clock.now();
  }

  /** Epoch milliseconds. */
  get now(): number {
    return this.#now;
  }

  /** Adds a view that isn't visible yet. */
  add(view: AgedView): Disposable {
    this.#views.set(view, false);
    return {
      dispose: () => {
        this.#views.delete(view);
        this.#arm();
      },
    };
  }

  setLookedAt(view: AgedView, isLookedAt: boolean): void {
    this.#views.set(view, isLookedAt);
    if (isLookedAt && this.#isOld()) this.#tick();
    else if (isLookedAt && view.tick(true)) this.#isCounting = true;
    this.#arm();
  }

  /** Call when a row that counts seconds was drawn. */
  countSeconds(): void {
    if (this.#isCounting) return;
    this.#isCounting = true;
    this.#arm();
  }

  /** Moves to the present if the ages are old. For changes that arrive while the views are hidden. */
  catchUp(): void {
    if (this.#isOld()) this.#tick();
  }

  dispose(): void {
    this.#timer?.dispose();
    this.#views.clear();
  }

  #isOld(): boolean {
    const passed = this.#clock.now() - this.#now;
    return passed >= agesEveryMs || passed < 0;
  }

  #tick(): void {
    const isOfAll = this.#isOld();
    if (isOfAll) this.#now = this.#clock.now();
    const counting = [...this.#views.keys()].filter((view) => view.tick(isOfAll));
    this.#isCounting = counting.length > 0;
    this.#arm();
  }

  #arm(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    if (![...this.#views.values()].includes(true)) return;
    const untilAges = Math.max(0, this.#now + agesEveryMs - this.#clock.now());
    const delayMs = this.#isCounting ? Math.min(secondMs, untilAges) : untilAges;
    this.#timer = this.#clock.schedule(() => this.#tick(), delayMs);
  }
}
