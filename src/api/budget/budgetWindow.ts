// A sliding minute of this process's requests, corrected for other clients with the same key. Uses no timers or promises.
import { limits } from '../../protocol/operations.ts';
import {
  allowedBeside,
  countedBy,
  type Foreign,
  freeAt,
  limitAfter,
  type RateLimit,
  pauseAfter,
} from './limitRules.ts';
import type { BudgetState, Priority } from '../../domain/budget.ts';

export interface BudgetWindow {
  leave(now: number): void;
  settle(reading: RateLimit | null, now: number): void;
  /** When a request of this priority may be sent; `now` at the earliest. */
  readyAt(priority: Priority, now: number): number;
  isQuota(now: number): boolean;
  state(now: number): BudgetState;
}

export function createWindow(requestsPerMinute: number, random: () => number): BudgetWindow {
  let limit = Math.max(1, requestsPerMinute);
  /** When each of this process's requests stops counting, oldest first. */
  let own: number[] = [];
  let foreign: Foreign = { count: 0, until: 0 };
  let pause = { until: 0, isQuota: false };
  let inFlight = 0;

  const prune = (now: number): void => {
    own = own.filter((expiry) => expiry > now);
    // An expiry more than a window away means that the clock was set back.
    if ((own.at(-1) ?? 0) > now + limits.windowMs)
      own = own.map((expiry) => Math.min(expiry, now + limits.windowMs));
    if (foreign.until <= now) foreign = { count: 0, until: 0 };
  };
  const remaining = (now: number): number => {
    prune(now);
    return Math.max(0, limit - own.length - foreign.count);
  };

  /** The service's count doesn't include requests that are still on their way. */
  function correct(reading: RateLimit, now: number): void {
    const counted = countedBy(reading, limit, remaining(now));
    if (counted === undefined) return;
    const used = counted.count + inFlight;
    if (own.length > used) own = own.slice(own.length - used);
    foreign = { count: Math.min(limit, used - own.length), until: now + counted.forMs };
  }

  return {
    leave(now) {
      prune(now);
      own.push(now + limits.windowMs);
      inFlight += 1;
    },
    settle(reading, now) {
      inFlight = Math.max(0, inFlight - 1);
      if (reading === null) return;
      limit = limitAfter(reading, limit);
      correct(reading, now);
      const pauseMs = pauseAfter(reading, random);
      if (pauseMs !== null && now + pauseMs > pause.until)
        pause = { until: now + pauseMs, isQuota: reading.isQuota };
    },
    readyAt(priority, now) {
      prune(now);
      return freeAt(own, foreign, allowedBeside(priority, limit), Math.max(now, pause.until));
    },
    isQuota: (now) => pause.until > now && pause.isQuota,
    state: (now) => ({
      limit,
      remaining: remaining(now),
      pausedUntil: pause.until > now ? pause.until : null,
    }),
  };
}
