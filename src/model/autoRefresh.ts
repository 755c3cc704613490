import type { Disposable } from '../base/disposable.ts';
import type { Clock } from './ports.ts';

export interface Attention {
  readonly isVisible: boolean;
  /** The window has the focus. */
  readonly isFocused: boolean;
}

const delaysMs = [30_000, 60_000, 120_000, 300_000] as const;

/** Milliseconds until the next refresh, by how often in a row nothing changed: 30 s, 60 s, 2 min, 5 min; null: not at all. */
export function refreshDelay(attention: Attention, unchangedTimes: number): number | null {
  if (!attention.isVisible || !attention.isFocused) return null;
  return delaysMs[unchangedTimes] ?? delaysMs[3];
}

/** Refreshes a view while it is visible in a focused window; begins with neither. Never refreshes twice at once. */
export class AutoRefresh implements Disposable {
  readonly #clock: Clock;
  readonly #refresh: (signal: AbortSignal) => Promise<boolean>;
  readonly #ended = new AbortController();
  #attention: Attention = { isVisible: false, isFocused: false };
  #unchangedTimes = 0;
  #lastAt: number;
  #timer: Disposable | undefined;
  #isRefreshing = false;

  /** refresh: tells whether anything changed and handles its failures (false slows down). */
  constructor(clock: Clock, refresh: (signal: AbortSignal) => Promise<boolean>) {
    this.#clock = clock;
    this.#refresh = refresh;
    this.#lastAt = clock.now();
  }

  /** Refreshes at once when the delay has passed meanwhile. */
  setAttention(attention: Attention): void {
    this.#attention = attention;
    this.#arm();
  }

  /** Counts from now on, at the fastest pace: the user refreshed or did something. */
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
      // Anything but the cancelling by dispose is a bug of the caller's and must be reported.
      if (!this.#ended.signal.aborted) throw error;
    } finally {
      this.#isRefreshing = false;
      this.#lastAt = this.#clock.now();
      this.#arm();
    }
  }
}
