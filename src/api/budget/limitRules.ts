// Calculations for the requests of a minute, wherever they're counted. Times are milliseconds of one clock.
import { limits } from '../../protocol/operations.ts';
import type { Priority } from '../../domain/budget.ts';

/** The rate limit from one response; null where the response doesn't say. Times are milliseconds from now. */
export interface RateLimit {
  readonly limit: number | null;
  readonly remaining: number | null;
  readonly resetInMs: number | null;
  /** Set when the service refused: no request may be sent until then. */
  readonly pauseMs: number | null;
  /** True when the refusal is about a plan's quota. */
  readonly isQuota: boolean;
}

/** Requests of other clients with the same key, known from the service's count. They all stop counting at the same time. */
export interface Foreign {
  readonly count: number;
  readonly until: number;
}

/** Requests reserved for the user's actions, out of 60; at most a quarter of the limit. */
const reservedForUser = 15;
/** A later reset belongs to a window longer than a minute. */
const longestResetMs = limits.windowMs + 1000;
/** Requests that wait for the end of a pause are spread over this time. */
const spreadMs = 500;
/** The highest limit per minute that's accepted from a service. */
const mostRequests = 10_000;
/** The longest pause after a refusal. Requests are tried again then, because the reported wait may be wrong. */
const longestPauseMs = 3_600_000;

const resetOf = ({ resetInMs }: RateLimit): number => resetInMs ?? limits.windowMs;

/** How many other requests may count when a request of this priority is sent; below zero means never. */
export function allowedBeside(priority: Priority, limit: number): number {
  const reserve = priority === 'user' ? 0 : Math.min(reservedForUser, Math.floor(limit / 4));
  return limit - reserve - 1;
}

/** Returns the limit after a response. */
export function limitAfter(reading: RateLimit, limit: number): number {
  const isMinute = reading.limit !== null && reading.limit > 0 && resetOf(reading) <= longestResetMs;
  return isMinute ? Math.min(mostRequests, reading.limit) : limit;
}

/** Milliseconds that a refusal delays all requests; null when the response isn't a refusal. random: from 0 to below 1. */
export function pauseAfter({ pauseMs }: RateLimit, random: () => number): number | null {
  return pauseMs === null ? null : Math.min(longestPauseMs, pauseMs) + Math.round(random() * spreadMs);
}

/**
 * Returns how many requests the service has counted and for how long; undefined when the response says nothing new about the minute. free:
 * requests left by the client's own count.
 */
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

/** Returns when no more than `allowed` requests count, from `start` on. expiries: when each own request stops counting, earliest first. */
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
