// The requests of a key that count, and what both ways of keeping them offer: this process alone, and a file that all windows on the machine share.
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
export interface RequestSlots extends Disposable {
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

/** The requests of a key that count at one time, wherever they're kept. */
export interface CountedRequests {
  count(): number;
  /** When each stops counting, earliest first. */
  expiries(): readonly number[];
  leave(waiter: Waiter): void;
  /** Marks a request as ended, when the service has certainly counted it. Returns when it was sent; undefined when it no longer counts. */
  end(id: string): number | undefined;
  /** Removes a request that was never sent. */
  remove(id: string): void;
  /** Counts the other requests that overlap with one sent at `leftAt`, whose response may not include them. */
  countTogether(id: string, leftAt: number): number;
  forgetOldest(count: number): void;
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
/** The longest time that a request counts. */
const mostMs = limits.windowMs + longestWayMs;

/** Returns a request sent at `now`. Until its response arrives, it's unknown when the service counted it. */
export function leaving(id: string, purpose: Purpose, now: number): SentRequest {
  return { id, purpose, leftAt: now, settledAt: null, expiresAt: now + mostMs };
}

/** Returns the request after its end, when the service has certainly counted it. */
function ended(request: SentRequest, now: number): SentRequest {
  return { ...request, settledAt: now, expiresAt: now + limits.windowMs };
}

/** This process's requests. */
export class SentRequests {
  readonly #requests = new Map<string, SentRequest>();

  add(id: string, purpose: Purpose, now: number): void {
    this.#dropOldest(now);
    this.#requests.set(id, leaving(id, purpose, now));
  }

  /** Returns when it was sent; undefined when it no longer counts. */
  settle({ id, reading }: Settlement, now: number): number | undefined {
    const request = this.#requests.get(id);
    if (request === undefined || request.expiresAt <= now || reading === 'unsent') {
      this.#requests.delete(id);
      return undefined;
    }
    this.#requests.set(id, ended(request, now));
    return request.leftAt;
  }

  /** Returns the requests that count, in the order they were sent. */
  counting(now: number): readonly SentRequest[] {
    for (const [id, request] of this.#requests) {
      if (request.expiresAt <= now) this.#requests.delete(id);
      // The clock was set back.
      else if (request.expiresAt > now + mostMs)
        this.#requests.set(id, { ...request, expiresAt: now + mostMs });
    }
    return [...this.#requests.values()];
  }

  /** Drops those in front that no longer count: a window that shares the file may never ask which ones do. */
  #dropOldest(now: number): void {
    for (const [id, { expiresAt }] of this.#requests) {
      if (expiresAt > now) return;
      this.#requests.delete(id);
    }
  }

  at(now: number): CountedRequests {
    const byExpiry = () => this.counting(now).toSorted((one, other) => one.expiresAt - other.expiresAt);
    return {
      count: () => this.counting(now).length,
      expiries: () => byExpiry().map(({ expiresAt }) => expiresAt),
      leave: ({ id, purpose }) => this.add(id, purpose, now),
      end: (id) => this.settle({ id, reading: null }, now),
      remove: (id) => this.#requests.delete(id),
      countTogether: (id, leftAt) =>
        this.counting(now).filter(
          (other) => other.id !== id && (other.settledAt === null || other.settledAt >= leftAt),
        ).length,
      forgetOldest: (count) => {
        for (const { id } of byExpiry().slice(0, count)) this.#requests.delete(id);
      },
    };
  }
}
