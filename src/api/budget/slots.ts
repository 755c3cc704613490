// What both ways of counting a key's requests share: of this process alone, and in a file that all windows on the machine share.
import type { Disposable } from '../../base/disposable.ts';
import type { BudgetUsage, Priority, Purpose } from '../../domain/budget.ts';
import { limits } from '../../protocol/operations.ts';

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

/** A request that waits to be sent. */
export interface Waiter {
  /** Identifies the request wherever it's counted. */
  readonly id: string;
  readonly purpose: Purpose;
  readonly priority: Priority;
  /** Smaller values go first. For equal values, the smaller id goes first. */
  readonly rank: number;
  /** The request doesn't wait beyond this time. */
  readonly deadline: number;
}

/** What came of a request: the rate limit from its response, null without a response, or "unsent" for one that never reached the service. */
export type RequestOutcome = RateLimit | null | 'unsent';

/** A finished request. */
export interface Settlement {
  readonly id: string;
  readonly reading: RequestOutcome;
}

/** The result for a waiting request: it's counted and may be sent, or the time when it may be sent. */
export type Admission =
  { readonly isAdmitted: true } | { readonly isAdmitted: false; readonly readyAt: number };

export interface Update {
  /** One for each waiting request, in the same order. */
  readonly admissions: readonly Admission[];
  /** When to update again for the requests that keep waiting. */
  readonly nextAt: number;
}

/** The known state of a key's minute. pausedUntil is an uptime; null when the service doesn't refuse requests. */
export interface MinuteState {
  readonly limit: number;
  readonly remaining: number;
  readonly pausedUntil: number | null;
  readonly isQuota: boolean;
}

export type MinuteUsage = MinuteState & Pick<BudgetUsage, 'purposes' | 'otherWindows' | 'otherClients'>;

/** All times are uptimes: monotonic milliseconds. */
export interface Slots extends Disposable {
  /** Records finished requests and admits waiting ones, in their order. Returns undefined when the slots are busy; nothing is changed then. */
  update(settled: readonly Settlement[], waiting: readonly Waiter[], now: number): Update | undefined;
  /** When a request of this priority could be sent if no other waited; `now` at the earliest. */
  readyAt(priority: Priority, now: number): number;
  state(now: number): MinuteState;
  usage(now: number): MinuteUsage;
}

/** True when the first one goes before the other. */
export function isBefore(one: Pick<Waiter, 'rank' | 'id'>, other: Pick<Waiter, 'rank' | 'id'>): boolean {
  return one.rank < other.rank || (one.rank === other.rank && one.id < other.id);
}

export interface SentRequest {
  readonly id: string;
  readonly purpose: Purpose;
  readonly leftAt: number;
  /** When it ended; null while it's in progress. */
  readonly settledAt: number | null;
  /** When it stops counting. */
  readonly expiresAt: number;
}

/** The longest time until the service counts a request, in milliseconds. The client gives up then. */
const longestWayMs = 30_000;

/** Returns a request sent at `now`. Until its response arrives, it's unknown when the service counted it. */
export function leaving(id: string, purpose: Purpose, now: number): SentRequest {
  const expiresAt = now + limits.windowMs + longestWayMs;
  return { id, purpose, leftAt: now, settledAt: null, expiresAt };
}

/** Returns the request after its end, when the service has certainly counted it. */
function ended(request: SentRequest, now: number): SentRequest {
  return { ...request, settledAt: now, expiresAt: now + limits.windowMs };
}

/** This process's requests that still count, kept so that a lost count can be restored. */
export class SentRequests {
  readonly #requests = new Map<string, SentRequest>();

  add(id: string, purpose: Purpose, now: number): void {
    this.#requests.set(id, leaving(id, purpose, now));
  }

  /** Returns the request; undefined when it no longer counts. */
  settle({ id, reading }: Settlement, now: number): SentRequest | undefined {
    const request = this.#requests.get(id);
    if (reading === 'unsent') this.#requests.delete(id);
    else if (request !== undefined) this.#requests.set(id, ended(request, now));
    return request;
  }

  /** Returns the requests that count, in the order they were sent. */
  counting(now: number): readonly SentRequest[] {
    for (const [id, { expiresAt }] of this.#requests) {
      if (expiresAt <= now) this.#requests.delete(id);
    }
    return [...this.#requests.values()];
  }
}

/** Requests of other clients with the same key, known from the service's count. They all stop counting at the same time. */
export interface ForeignRequests {
  readonly count: number;
  readonly until: number;
}

// The rules of a minute, wherever its requests are counted. Times are milliseconds of one clock.

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
