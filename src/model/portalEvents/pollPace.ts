import { wait } from '../../base/time.ts';
import { pollDelay } from '../../domain/pollPaces.ts';
import type { Attention } from '../autoRefresh.ts';
import type { Clock } from '../ports.ts';

/** Milliseconds until the next poll of portal events, by how many in a row brought nothing; null: not while the window has no focus. */
export function eventPollDelay({ isVisible, isFocused }: Attention, idlePolls: number): number | null {
  return isFocused ? pollDelay(isVisible ? 'watched' : 'hidden', idlePolls) : null;
}

export interface PollPace {
  /** Tells who looks; who waits is measured anew. */
  setAttention(attention: Attention): void;
  /** Resolves when it is time for the next poll; rejects with the signal's reason when it is aborted. */
  next(idlePolls: number, signal: AbortSignal): Promise<void>;
  /** Resolves when the window has the focus. */
  whenFocused(signal: AbortSignal): Promise<void>;
}

/** Begins with nobody looking. */
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

/** True when the wait came to its end, false when the signal ended it. */
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
