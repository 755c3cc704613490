import type { Disposable } from '../base/disposable.ts';
import type { Clock } from '../base/time.ts';

export interface Attention {
  readonly isVisible: boolean;
  /** The window has the focus. */
  readonly isFocused: boolean;
}

const delaysMs = [30_000, 60_000, 120_000, 300_000] as const;

/** Returns the milliseconds until the next refresh, by how often in a row nothing changed: 30 s, 60 s, 2 min, 5 min. null: no refresh. */
export function refreshDelay(attention: Attention, unchangedTimes: number): number | null {
  if (!attention.isVisible || !attention.isFocused) return null;
  return delaysMs[unchangedTimes] ?? delaysMs[3];
}

/** Refreshes a view while it's visible in a focused window; starts out paused. Never runs two refreshes at once. */
export class AutoRefresh implements Disposable {
  readonly #clock: Clock;
  readonly #refresh: (signal: AbortSignal) => Promise<boolean>;
  readonly #ended = new AbortController();
  #attention: Attention = { isVisible: false, isFocused: false };
  #unchangedTimes = 0;
  #lastAt: number;
  #timer: Disposable | undefined;
  #isRefreshing = false;

  /** `refresh` returns true if anything changed. It handles its own failures and returns false for them, which slows down the pace. */
  constructor(clock: Clock, refresh: (signal: AbortSignal) => Promise<boolean>) {
    this.#clock = clock;
    this.#refresh = refresh;
    this.#lastAt = clock.now();
  }

  /** Refreshes at once if the delay has already passed. */
  setAttention(attention: Attention): void {
    this.#attention = attention;
    this.#arm();
  }

  /** Restarts the delay at the fastest pace, after the user refreshed or did something. */
  restart(): void {
    this.#unchangedTimes = 0;
    this.#lastAt = this.#clock.now();
    this.#arm();
  }

  dispose(): void {
    this.#ended.abort();
    this.#timer?.dispose();
  }

  #arm(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    const delayMs = refreshDelay(this.#attention, this.#unchangedTimes);
    if (delayMs === null || this.#isRefreshing || this.#ended.signal.aborted) return;
    const waitMs = Math.max(0, this.#lastAt + delayMs - this.#clock.now());
    this.#timer = this.#clock.schedule(() => {
      void this.#run();
    }, waitMs);
  }

  async #run(): Promise<void> {
    this.#isRefreshing = true;
    try {
      const didChange = await this.#refresh(this.#ended.signal);
      this.#unchangedTimes = didChange ? 0 : this.#unchangedTimes + 1;
    } catch (error) {
      // Any error except the abort by dispose is a bug in the caller and must be reported.
      if (!this.#ended.signal.aborted) throw error;
    } finally {
      this.#isRefreshing = false;
      this.#lastAt = this.#clock.now();
      this.#arm();
    }
  }
}
