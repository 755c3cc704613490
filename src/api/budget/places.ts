// Counts the requests of one key: of this process alone, or in a file that all windows on the machine share.
import type { Disposable } from '../../base/disposable.ts';
import type { RateLimit } from './limitRules.ts';
import type { BudgetUsage, Priority, Purpose } from '../../domain/budget.ts';

/** A request that waits to be sent. */
export interface Waiter {
  /** Identifies the request wherever it's counted. */
  readonly id: string;
  readonly purpose: Purpose;
  readonly priority: Priority;
  /** Smaller values go first. For equal values, the smaller id goes first. */
  readonly turn: number;
  /** The request doesn't wait beyond this time. */
  readonly deadline: number;
}

/** A finished request with the rate limit from its response; null without a response. */
export interface Settlement {
  readonly id: string;
  readonly reading: RateLimit | null;
}

/** The result for a waiting request: it's counted and may be sent, or the time when it may be sent. */
export type Turn = { readonly isAdmitted: true } | { readonly isAdmitted: false; readonly readyAt: number };

export interface Update {
  /** One for each waiting request, in the same order. */
  readonly turns: readonly Turn[];
  /** When to update again for the requests that keep waiting. */
  readonly nextAt: number;
}

/** The known state of a key's minute. pausedUntil is an uptime; null when the service doesn't refuse requests. */
export interface Usage extends Omit<BudgetUsage, 'pausedUntil'> {
  readonly pausedUntil: number | null;
  readonly isQuota: boolean;
}

/** All times are uptimes: monotonic milliseconds. */
export interface Places extends Disposable {
  /** Records finished requests and admits waiting ones, in their order. Returns undefined when the places are busy; nothing is changed then. */
  update(settled: readonly Settlement[], waiting: readonly Waiter[], now: number): Update | undefined;
  /** When a request of this priority could be sent if no other waited; `now` at the earliest. */
  readyAt(priority: Priority, now: number): number;
  state(now: number): Pick<Usage, 'limit' | 'remaining' | 'pausedUntil' | 'isQuota'>;
  usage(now: number): Usage;
}

/** True when the first one goes before the other. */
export function isBefore(one: Pick<Waiter, 'turn' | 'id'>, other: Pick<Waiter, 'turn' | 'id'>): boolean {
  return one.turn < other.turn || (one.turn === other.turn && one.id < other.id);
}
