// Why: the arithmetic of a sliding minute that other windows and machines draw from as well; no timers, no promises.
import { limits } from '../protocol/operations.ts';
import type { BudgetState, Priority } from './client.ts';

/** What one answer said of the limit; null where it was silent. Times are milliseconds from now. */
export interface LimitReading {
  readonly limit: number | null;
  readonly remaining: number | null;
  readonly resetInMs: number | null;
  /** The service refused: nothing may leave before. */
  readonly pauseMs: number | null;
  /** The refusal is a plan's quota. */
  readonly isQuota: boolean;
}

/** Places kept free for what the user does, out of 60. */
const reservedForUser = 15;
/** A reset further away belongs to another window than the minute's. */
const longestResetMs = limits.windowMs + 1000;
/** What waits for the end of a pause leaves spread over this time. */
const spreadMs = 500;
/** The most requests a minute that a service is believed to allow. */
const mostRequests = 10_000;
/** A refusal is believed this long; then one request asks again, since a told wait may be a mistake. */
const longestPauseMs = 3_600_000;

export interface BudgetWindow {
  leave(now: number): void;
  settle(reading: LimitReading | null, now: number): void;
  /** Epoch milliseconds when a request of this priority may leave; now at the earliest. */
  readyAt(priority: Priority, now: number): number;
  isQuota(now: number): boolean;
  state(now: number): BudgetState;
}

export function createWindow(requestsPerMinute: number, random: () => number): BudgetWindow {
  let limit = Math.max(1, requestsPerMinute);
  /** When each of our own requests stops counting, oldest first. */
  let own: number[] = [];
  /** Requests of others with the same key, known from the service's count. */
  let foreign = { count: 0, until: 0 };
  let pause = { until: 0, isQuota: false };
  let inFlight = 0;

  const prune = (now: number): void => {
    own = own.filter((expiry) => expiry > now);
    // Further away than a window: the clock was set back meanwhile.
    if ((own.at(-1) ?? 0) > now + limits.windowMs)
      own = own.map((expiry) => Math.min(expiry, now + limits.windowMs));
    if (foreign.until <= now) foreign = { count: 0, until: 0 };
  };
  const remaining = (now: number): number => {
    prune(now);
    return Math.max(0, limit - own.length - foreign.count);
  };

  /** The service counted this many, not knowing of what is still on its way to it. */
  function correct(left: number, resetInMs: number, now: number): void {
    const isOtherWindow = resetInMs > longestResetMs;
    if (isOtherWindow && left >= remaining(now)) return;
    prune(now);
    const used = Math.max(0, limit - left) + inFlight;
    if (own.length > used) own = own.slice(own.length - used);
    const until = now + Math.min(limits.windowMs, Math.max(1000, resetInMs));
    foreign = { count: Math.min(limit, used - own.length), until };
  }

  /** When the request at this place counts no more, of all that count at a time, the first to end first; undefined where there are fewer. */
  function expiryAt(place: number, start: number): number | undefined {
    const counting = own.filter((expiry) => expiry > start);
    const others = foreign.until > start ? foreign.count : 0;
    const before = counting.filter((expiry) => expiry <= foreign.until).length;
    const index = place + counting.length + others;
    if (index < before) return counting[index];
    return index < before + others ? foreign.until : counting[index - others];
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
      const resetInMs = reading.resetInMs ?? limits.windowMs;
      if (reading.limit !== null && reading.limit > 0 && resetInMs <= longestResetMs)
        limit = Math.min(mostRequests, reading.limit);
      if (reading.remaining !== null) correct(reading.remaining, resetInMs, now);
      if (reading.pauseMs === null) return;
      const pauseMs = Math.min(longestPauseMs, reading.pauseMs);
      const until = now + pauseMs + Math.round(random() * spreadMs);
      if (until > pause.until) pause = { until, isQuota: reading.isQuota };
    },
    readyAt(priority, now) {
      prune(now);
      const start = Math.max(now, pause.until);
      const reserve = priority === 'user' ? 0 : Math.min(reservedForUser, Math.floor(limit / 4));
      const allowed = Math.max(0, limit - reserve - 1);
      return expiryAt(-allowed - 1, start) ?? start;
    },
    isQuota: (now) => pause.until > now && pause.isQuota,
    state: (now) => ({
      limit,
      remaining: remaining(now),
      pausedUntil: pause.until > now ? pause.until : null,
    }),
  };
}
