import type { Disposable } from '../../base/disposable.ts';
import { Pulse } from '../../base/pulse.ts';
import type { Clock } from '../../base/time.ts';

/** At least between two lists of a service, and between two looks at what is in sight, in milliseconds. */
export const listPauseMs = 30_000;

/** Looks at what is in sight again and again, but only while somebody watches. */
export class SightPulse implements Disposable {
  readonly #clock: Clock;
  readonly #look: () => void;
  readonly #pulse: Pulse;
  #isWatched = false;

  constructor(clock: Clock, look: () => void) {
    this.#clock = clock;
    this.#look = look;
    this.#pulse = new Pulse(clock, () => this.#beat(), { first: listPauseMs });
  }

  /** Looks at once when somebody begins to watch, or when there's more to see. */
  watch(isWatched: boolean): void {
    this.#isWatched = isWatched;
    this.#pulse.cancel();
    if (isWatched) this.#beat();
  }

  /** Whether a list that was last asked for then, in epoch milliseconds, is asked for again. */
  isDue(askedAt: number | undefined): boolean {
    return this.#isWatched && (askedAt === undefined || this.#clock.now() - askedAt >= listPauseMs);
  }

  dispose(): void {
    this.#pulse.dispose();
  }

  #beat(): void {
    this.#look();
    this.#pulse.askAtRest();
  }
}
