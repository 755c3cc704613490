// When to do work that is requested again and again: once for many requests, and with pauses for other work.
import type { Disposable } from './disposable.ts';
import { type Clock, steadyNow } from './time.ts';

/** In milliseconds. */
interface PulseTimes {
  /** From the request to the beat. Without it, the beat is at once, in the call that asks. */
  readonly first?: number;
  /** At least between two beats. */
  readonly pause?: number;
  /** The pause after a beat is this many times as long as the beat took, but not longer than `longest`. */
  readonly backoff?: { readonly factor: number; readonly longest?: number };
}

/** Beats once for all requests before the beat. */
export class Pulse implements Disposable {
  readonly #clock: Clock;
  readonly #onBeat: () => void;
  readonly #times: PulseTimes;
  #timer: Disposable | undefined;
  #isDisposed = false;
  /** When the last beat ended, in epoch milliseconds. */
  #restsFrom = -Infinity;
  #restMs = 0;

  constructor(clock: Clock, onBeat: () => void, times: PulseTimes) {
    this.#clock = clock;
    this.#onBeat = onBeat;
    this.#times = times;
  }

  /** Asks for a beat, after `first` instead of the usual time. */
  ask(first = this.#times.first): void {
    if (this.#timer !== undefined || this.#isDisposed) return;
    const delayMs = Math.max(first ?? 0, this.#restLeft());
    if (first === undefined && delayMs === 0) this.beat();
    else this.#timer = this.#clock.schedule(() => this.beat(), delayMs);
  }

  /** Asks for a beat after the whole time without another request. */
  askAtRest(): void {
    this.cancel();
    this.ask();
  }

  /** Beats now, requested or not. */
  beat(): void {
    this.cancel();
    const { pause = 0, backoff: { factor, longest = Infinity } = { factor: 0 } } = this.#times;
    this.#rest(pause);
    const began = steadyNow();
    this.#onBeat();
    this.#rest(Math.max(pause, Math.min(longest, factor * (steadyNow() - began))));
  }

  /** Forgets the requests. */
  cancel(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
  }

  dispose(): void {
    this.#isDisposed = true;
    this.cancel();
  }

  #rest(milliseconds: number): void {
    this.#restsFrom = this.#clock.now();
    this.#restMs = milliseconds;
  }

  #restLeft(): number {
    const passed = this.#clock.now() - this.#restsFrom;
    // The clock may have been set back.
    return passed < 0 ? 0 : Math.max(0, this.#restMs - passed);
  }
}
