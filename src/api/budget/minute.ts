// The rules of a key's minute, wherever its requests are counted. A request counts from when it's sent until a minute after its end: the
// service may have counted it as late as that. Times are milliseconds of one clock.
import { limits } from '../../protocol/operations.ts';
import type { Priority } from '../../domain/budget.ts';
import type { Admission, CountedRequests, MinuteState, RateLimit, Settlement, Waiter } from './slots.ts';

/** Requests of other clients with the same key, known from the service's count. They all stop counting at the same time. */
interface ForeignRequests {
  readonly count: number;
  readonly until: number;
}

/** The rate limit as reported by the service, and what follows from it. */
export interface ReportedLimit {
  readonly limit: number;
  readonly foreign: ForeignRequests;
  /** No request may be sent until then. wallUntil is the same time by the wall clock; the pause ends at the earlier of the two. */
  readonly pause: { readonly until: number; readonly wallUntil: number; readonly isQuota: boolean };
}

/** Before the service has reported any. */
export function unreportedLimit(limit: number): ReportedLimit {
  return { limit, foreign: { count: 0, until: 0 }, pause: { until: 0, wallUntil: 0, isQuota: false } };
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
function allowedBeside(priority: Priority, limit: number): number {
  const reserve = priority === 'user' ? 0 : Math.min(reservedForUser, Math.floor(limit / 4));
  return limit - reserve - 1;
}

/** Returns the limit after a response. */
function limitAfter(reading: RateLimit, limit: number): number {
  const isMinute = reading.limit !== null && reading.limit > 0 && resetOf(reading) <= longestResetMs;
  return isMinute ? Math.min(mostRequests, reading.limit) : limit;
}

/** Milliseconds that a refusal delays all requests; null when the response isn't a refusal. random: from 0 to below 1. */
function pauseAfter({ pauseMs }: RateLimit, random: () => number): number | null {
  return pauseMs === null ? null : Math.min(longestPauseMs, pauseMs) + Math.round(random() * spreadMs);
}

/**
 * Returns how many requests the service has counted and for how long; undefined when the response says nothing new about the minute. free:
 * requests left by the client's own count.
 */
function countedBy(
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
function freeAt(
  expiries: readonly number[],
  foreign: ForeignRequests,
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

export interface Times {
  readonly now: number;
  /** Epoch milliseconds. */
  readonly wallNow: number;
}

/** Counts a finished request. Returns the limit as its response reports it. */
export function settle(
  requests: CountedRequests,
  reported: ReportedLimit,
  { id, reading }: Settlement,
  { now, wallNow }: Times,
  random: () => number,
): ReportedLimit {
  if (reading === 'unsent') {
    requests.remove(id);
    return reported;
  }
  const leftAt = requests.end(id);
  if (reading === null) return reported;
  const limit = limitAfter(reading, reported.limit);
  let next = limit === reported.limit ? reported : { ...reported, limit };
  const count = requests.count();
  const counted = countedBy(reading, limit, limit - count - reported.foreign.count);
  if (counted !== undefined && leftAt !== undefined) {
    const used = counted.count + requests.countTogether(id, leftAt);
    if (count > used) requests.forgetOldest(count - used);
    const foreign = Math.min(limit, Math.max(0, used - count));
    next = { ...next, foreign: { count: foreign, until: now + counted.forMs } };
  }
  const pauseMs = pauseAfter(reading, random);
  if (pauseMs === null || now + pauseMs <= next.pause.until) return next;
  const pause = { until: now + pauseMs, wallUntil: wallNow + pauseMs, isQuota: reading.isQuota };
  return { ...next, pause };
}

/** Admits waiting requests in their order. `before`: how many others go before a request. Returns also the ones that keep waiting. */
export function admit(
  requests: CountedRequests,
  reported: ReportedLimit,
  waiting: readonly Waiter[],
  before: (waiter: Waiter) => number,
  now: number,
): { readonly admissions: readonly Admission[]; readonly stay: readonly Waiter[] } {
  const start = Math.max(now, reported.pause.until);
  let count = requests.count();
  let expiries: readonly number[] | undefined;
  const stay: Waiter[] = [];
  const admissions = waiting.map((waiter): Admission => {
    const allowed = allowedBeside(waiter.priority, reported.limit) - before(waiter) - stay.length;
    if (start <= now && count + reported.foreign.count <= allowed) {
      requests.leave(waiter);
      count += 1;
      return { isAdmitted: true };
    }
    expiries ??= requests.expiries();
    const readyAt = freeAt(expiries, reported.foreign, allowed, start);
    if (readyAt <= waiter.deadline) stay.push(waiter);
    return { isAdmitted: false, readyAt };
  });
  return { admissions, stay };
}

/** When a request of this priority could be sent if no other waited; `now` at the earliest. */
export function readyAt(
  requests: CountedRequests,
  reported: ReportedLimit,
  priority: Priority,
  now: number,
): number {
  const allowed = allowedBeside(priority, reported.limit);
  const start = Math.max(now, reported.pause.until);
  if (start <= now && requests.count() + reported.foreign.count <= allowed) return now;
  return freeAt(requests.expiries(), reported.foreign, allowed, start);
}

/** The earliest time at which one of the waiting requests may be sent, before its deadline. */
export function earliest(admissions: readonly Admission[], waiting: readonly Waiter[]): number {
  return Math.min(
    Infinity,
    ...waiting.map(({ deadline }, index) => {
      const admission = admissions[index];
      return admission?.isAdmitted === false && admission.readyAt <= deadline ? admission.readyAt : Infinity;
    }),
  );
}

export function toMinuteState({ limit, foreign, pause }: ReportedLimit, count: number): MinuteState {
  return {
    limit,
    remaining: Math.max(0, limit - count - foreign.count),
    pausedUntil: pause.until > 0 ? pause.until : null,
    isQuota: pause.isQuota,
  };
}
