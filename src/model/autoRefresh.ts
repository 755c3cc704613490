import { isAbortError } from '../base/async.ts';
import type { Disposable } from '../base/disposable.ts';
import { Emitter } from '../base/event.ts';
import type { Logger } from '../base/logger.ts';
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
  readonly logger: Logger;
  /** Reads again what the watched views show, in the background. */
  readonly refresh: (signal: AbortSignal) => Promise<void>;
  /** Milliseconds from the end of a refresh, at `endedAt`, to the next one; asked each time. Default: 30 s. */
  readonly delayMs?: (endedAt: number) => number;
}

/** A view's part: it says whether it's visible. */
export interface AddedView extends Disposable {
  setAttention(attention: Attention): void;
}

/**
 * What is looked at, and when it may be read again. A view is watched while it's visible in a focused window; what watched views show is
 * refreshed, never twice at once. `Shown`: what a view shows.
 */
export class AutoRefresh<Shown = null> implements Disposable {
  readonly #deps: AutoRefreshDeps;
  readonly #views = new Map<() => Shown, Attention>();
  readonly #attention = new Emitter<Attention>();
  /** Fires with whether any view is visible, and any in a focused window. */
  readonly onDidChangeAttention = this.#attention.event;
  /** Of the latest refresh. A signal keeps what listened to it, so each refresh has its own. */
  #work = new AbortController();
  #isDisposed = false;
  #lastAt: number;
  #timer: Disposable | undefined;
  #isRefreshing = false;

  constructor(deps: AutoRefreshDeps) {
    this.#deps = deps;
    this.#lastAt = deps.clock.now();
  }

  /** What the watched views show. */
  get watched(): readonly Shown[] {
    return [...this.#views].filter(([, attention]) => isWatched(attention)).map(([show]) => show());
  }

  get isWatched(): boolean {
    return [...this.#views.values()].some(isWatched);
  }

  /** Adds a view that isn't watched yet. When it is, it's refreshed at once if the delay has already passed. */
  add(show: () => Shown): AddedView {
    return {
      setAttention: (attention) => {
        this.#views.set(show, attention);
        this.#attend();
      },
      dispose: () => {
        this.#views.delete(show);
        this.#attend();
      },
    };
  }

  /** Restarts the delay, after the user refreshed. */
  restart(): void {
    this.#lastAt = this.#deps.clock.now();
    this.reschedule();
  }

  /** For a delay that changed. */
  reschedule(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    if (!this.isWatched || this.#isRefreshing || this.#isDisposed) return;
    const { clock, delayMs } = this.#deps;
    const dueAt = this.#lastAt + (delayMs?.(this.#lastAt) ?? refreshEveryMs);
    this.#timer = clock.schedule(() => void this.#run(), Math.max(0, dueAt - clock.now()));
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#work.abort();
    this.#timer?.dispose();
    this.#attention.dispose();
  }

  #attend(): void {
    const all = [...this.#views.values()];
    this.#attention.fire({
      isVisible: all.some(({ isVisible }) => isVisible),
      isFocused: all.some(({ isFocused }) => isFocused),
    });
    this.reschedule();
  }

  async #run(): Promise<void> {
    this.#isRefreshing = true;
    this.#work = new AbortController();
    const { logger, refresh, clock } = this.#deps;
    try {
      await refresh(this.#work.signal);
    } catch (error) {
      if (!isAbortError(error) && !this.#isDisposed)
        logger.error('What is in sight could not be refreshed.', error);
    } finally {
      this.#isRefreshing = false;
      this.#lastAt = clock.now();
      this.reschedule();
    }
  }
}

const isWatched = ({ isVisible, isFocused }: Attention): boolean => isVisible && isFocused;
