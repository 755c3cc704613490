// The arithmetic of a minute's requests, wherever they are counted. Times are milliseconds of one clock.
import { limits } from '../../protocol/operations.ts';
import type { Priority } from '../../domain/budget.ts';

/** What one answer said of the limit; null where it was silent. Times are milliseconds from now. */
export interface RateLimit {
  readonly limit: number | null;
  readonly remaining: number | null;
  readonly resetInMs: number | null;
  /** The service refused: nothing may leave before. */
  readonly pauseMs: number | null;
  /** The refusal is a plan's quota. */
  readonly isQuota: boolean;
}

/** Requests of others with the same key, known from the service's count; they end to count all at once. */
export interface Foreign {
  readonly count: number;
  readonly until: number;
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

const resetOf = ({ resetInMs }: RateLimit): number => resetInMs ?? limits.windowMs;

/** Others may count at most this many when a request of this priority leaves; below zero: never. */
export function allowedBeside(priority: Priority, limit: number): number {
  const reserve = priority === 'user' ? 0 : Math.min(reservedForUser, Math.floor(limit / 4));
  return limit - reserve - 1;
}

/** The limit after an answer. */
export function limitAfter(reading: RateLimit, limit: number): number {
  const isMinute = reading.limit !== null && reading.limit > 0 && resetOf(reading) <= longestResetMs;
  return isMinute ? Math.min(mostRequests, reading.limit) : limit;
}

/** How long a refusal makes everything wait; null: the answer was none. random: from 0 to below 1. */
export function pauseAfter({ pauseMs }: RateLimit, random: () => number): number | null {
  return pauseMs === null ? null : Math.min(longestPauseMs, pauseMs) + Math.round(random() * spreadMs);
}

/** How many the service has counted and for how long, by its answer; undefined: it says nothing of the minute that we do not know. free: what we take for left. */
export function countedBy(
  reading: RateLimit,
  limit: number,
  free: number,
): { readonly count: number; readonly forMs: number } | undefined {
  const resetInMs = resetOf(reading);
  if (reading.remaining === null || (resetInMs > longestResetMs && reading.remaining >= free))
    return undefined;
  const forMs = Math.min(limits.windowMs, Math.max(1000, resetInMs));
  return { count: Math.max(0, limit - reading.remaining), forMs };
}

/** When no more than `allowed` count, from a start on. expiries: when each of our own ends to count, the first first. */
export function freeAt(
  expiries: readonly number[],
  foreign: Foreign,
  allowed: number,
  start: number,
): number {
  const counting = expiries.filter((expiry) => expiry > start);
  const others = foreign.until > start ? foreign.count : 0;
  const before = counting.filter((expiry) => expiry <= foreign.until).length;
  const index = counting.length + others - Math.max(0, allowed) - 1;
  if (index < before) return counting[index] ?? start;
  return index < before + others ? foreign.until : (counting[index - others] ?? start);
}
