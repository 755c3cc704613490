import type { Disposable } from '../base/disposable.ts';
import type { Clock } from '../base/time.ts';

export interface Attention {
  readonly isVisible: boolean;
  /** The window has the focus. */
  readonly isFocused: boolean;
}

/** The longest that something in sight goes without being read again, in milliseconds. */
export const refreshEveryMs = 30_000;

export interface AutoRefreshDeps {
  readonly clock: Clock;
  /** Handles its own failures. */
  readonly refresh: (signal: AbortSignal) => Promise<void>;
  /** Milliseconds from the end of a refresh, at `endedAt`, to the next one; asked each time. Default: 30 s. */
  readonly delayMs?: (endedAt: number) => number;
}

/** Refreshes a view while it's visible in a focused window; starts out paused. Never runs two refreshes at once. */
export class AutoRefresh implements Disposable {
  readonly #deps: AutoRefreshDeps;
  /** Of the latest refresh. A signal keeps what listened to it, so each refresh has its own. */
  #work = new AbortController();
  #isDisposed = false;
  #isWatched = false;
  #lastAt: number;
  #timer: Disposable | undefined;
  #isRefreshing = false;

  constructor(deps: AutoRefreshDeps) {
    this.#deps = deps;
    this.#lastAt = deps.clock.now();
  }

  /** Refreshes at once if the delay has already passed. */
  setAttention({ isVisible, isFocused }: Attention): void {
    this.#isWatched = isVisible && isFocused;
    this.#arm();
  }

  /** Restarts the delay, after the user refreshed. */
  restart(): void {
    this.#lastAt = this.#deps.clock.now();
    this.#arm();
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#work.abort();
    this.#timer?.dispose();
  }

  #arm(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    if (!this.#isWatched || this.#isRefreshing || this.#isDisposed) return;
    const { clock, delayMs } = this.#deps;
    const dueAt = this.#lastAt + (delayMs?.(this.#lastAt) ?? refreshEveryMs);
    this.#timer = clock.schedule(() => void this.#run(), Math.max(0, dueAt - clock.now()));
  }

  async #run(): Promise<void> {
    this.#isRefreshing = true;
    this.#work = new AbortController();
    try {
      await this.#deps.refresh(this.#work.signal);
    } catch (error) {
      // Any error except the abort by dispose is a bug in the caller and must be reported.
      if (!this.#isDisposed) throw error;
    } finally {
      this.#isRefreshing = false;
      this.#lastAt = this.#deps.clock.now();
      this.#arm();
    }
  }
}
