// Why: keeps a view fresh while somebody looks at it, and asks nothing when nobody does.
import type { Disposable } from '../base/disposable.ts';
import type { Clock } from './ports.ts';

export interface Attention {
  readonly isVisible: boolean;
  /** The window has the focus. */
  readonly isFocused: boolean;
}

/** Milliseconds until the next refresh, by how often in a row nothing changed: 30 s, 60 s, 2 min, 5 min; null: not at all. Pure. */
export declare function refreshDelay(attention: Attention, unchangedTimes: number): number | null;

export interface AutoRefresh extends Disposable {
  /** Tells who looks. Coming back after the delay has passed refreshes at once. */
  setAttention(attention: Attention): void;
  /** Counts from now on, at the fastest pace: the user refreshed or did something. */
  restart(): void;
}

/** refresh answers whether anything changed; it must handle its failures (false for a failure slows down). Never two at once. */
export declare function createAutoRefresh(
  clock: Clock,
  refresh: (signal: AbortSignal) => Promise<boolean>,
): AutoRefresh;
