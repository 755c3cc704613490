// Keeps a view fresh while somebody looks at it, and asks nothing when nobody does.
import type { Disposable } from '../base/disposable.ts';
import type { Clock } from './ports.ts';

export interface Attention {
  readonly isVisible: boolean;
  /** The window has the focus. */
  readonly isFocused: boolean;
}

const delaysMs = [30_000, 60_000, 120_000, 300_000] as const;

/** Milliseconds until the next refresh, by how often in a row nothing changed: 30 s, 60 s, 2 min, 5 min; null: not at all. Pure. */
export function refreshDelay(attention: Attention, unchangedTimes: number): number | null {
  if (!attention.isVisible || !attention.isFocused) return null;
  return delaysMs[unchangedTimes] ?? delaysMs[3];
}

export interface AutoRefresh extends Disposable {
  /** Tells who looks. Coming back after the delay has passed refreshes at once. */
  setAttention(attention: Attention): void;
  /** Counts from now on, at the fastest pace: the user refreshed or did something. */
  restart(): void;
}

/** Begins with nobody looking. `refresh` answers whether anything changed and handles its failures (false slows down). Never two at once. */
export function createAutoRefresh(
  clock: Clock,
  refresh: (signal: AbortSignal) => Promise<boolean>,
): AutoRefresh {
  return new AttentiveRefresh(clock, refresh);
}

class AttentiveRefresh implements AutoRefresh {
  readonly #clock: Clock;
  readonly #refresh: (signal: AbortSignal) => Promise<boolean>;
  readonly #ended = new AbortController();
  #attention: Attention = { isVisible: false, isFocused: false };
  #unchangedTimes = 0;
  #lastAt: number;
  #timer: Disposable | undefined;
  #isRefreshing = false;

  constructor(clock: Clock, refresh: (signal: AbortSignal) => Promise<boolean>) {
    this.#clock = clock;
    this.#refresh = refresh;
    this.#lastAt = clock.now();
  }

  setAttention(attention: Attention): void {
    this.#attention = attention;
    this.#arm();
  }

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
      // Cancelled by the end of this object; anything else is a bug of the caller's and must be heard.
      if (!this.#ended.signal.aborted) throw error;
    } finally {
      this.#isRefreshing = false;
      this.#lastAt = this.#clock.now();
      this.#arm();
    }
  }
}
