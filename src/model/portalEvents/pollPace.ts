import { type Clock, wait } from '../../base/time.ts';
import { pollDelay } from '../../domain/budget.ts';
import type { Attention } from '../autoRefresh.ts';

/** Returns the milliseconds until the next poll, by how many polls in a row found nothing; null: not while the window has no focus. */
export function eventPollDelay({ isVisible, isFocused }: Attention, idlePolls: number): number | null {
  return isFocused ? pollDelay(isVisible ? 'watched' : 'hidden', idlePolls) : null;
}

export interface PollPace {
  /** Sets whether the user can see the view; the delay of a waiting poll is recalculated. */
  setAttention(attention: Attention): void;
  /** Resolves when the next poll is due; rejects with the signal's reason when it's aborted. */
  next(idlePolls: number, signal: AbortSignal): Promise<void>;
  /** Resolves when the window has the focus. */
  whenFocused(signal: AbortSignal): Promise<void>;
}

/** Starts as not visible and not focused. */
export function createPollPace(clock: Clock): PollPace {
  let attention: Attention = { isVisible: false, isFocused: false };
  let turned = new AbortController();
  return {
    setAttention(next) {
      if (next.isVisible === attention.isVisible && next.isFocused === attention.isFocused) return;
      attention = next;
      turned.abort();
      turned = new AbortController();
    },
    async next(idlePolls, signal) {
      const began = clock.now();
      for (;;) {
        const delayMs = eventPollDelay(attention, idlePolls);
        const changed = AbortSignal.any([turned.signal, signal]);
        const isDue = await (delayMs === null
          ? untilAborted(changed)
          : isOver(wait(clock, Math.max(0, began + delayMs - clock.now()), changed), changed));
        signal.throwIfAborted();
        if (isDue) return;
      }
    },
    async whenFocused(signal) {
      while (!attention.isFocused) {
        await untilAborted(AbortSignal.any([turned.signal, signal]));
        signal.throwIfAborted();
      }
    },
  };
}

/** True when the wait has passed, false when the signal ended it. */
async function isOver(waiting: Promise<void>, signal: AbortSignal): Promise<boolean> {
  try {
    await waiting;
    return true;
  } catch (error) {
    if (!signal.aborted) throw error;
    return false;
  }
}

function untilAborted(signal: AbortSignal): Promise<false> {
  return new Promise((resolve) => {
    const end = (): void => resolve(false);
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
}
