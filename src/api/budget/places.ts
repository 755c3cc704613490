// Where the requests of one key are counted: in this process alone, or in a file that all windows of the machine share.
import type { Disposable } from '../../base/disposable.ts';
import type { RateLimit } from './limitRules.ts';
import type { BudgetUsage, Priority, Purpose } from '../../domain/budget.ts';

/** One that waits for a place, for its own request. */
export interface Waiter {
  /** Names the request wherever it is counted. */
  readonly id: string;
  readonly purpose: Purpose;
  readonly priority: Priority;
  /** Those with a smaller one go first; of equal ones those with the smaller id. */
  readonly turn: number;
  /** Beyond this it does not wait. */
  readonly deadline: number;
}

/** A request that ended, with what its answer said of the limit; null: without an answer. */
export interface Settlement {
  readonly id: string;
  readonly reading: RateLimit | null;
}

/** What became of one that waits: its request is counted and may leave, or it may leave at that time. */
export type Turn = { readonly isAdmitted: true } | { readonly isAdmitted: false; readonly readyAt: number };

export interface Update {
  /** One for each that waits, in their order. */
  readonly turns: readonly Turn[];
  /** When to ask again for those that go on waiting. */
  readonly nextAt: number;
}

/** What is known of a key's minute. The pause is null when the service does not refuse. */
export interface Usage extends Omit<BudgetUsage, 'pausedUntil'> {
  readonly pausedUntil: number | null;
  readonly isQuota: boolean;
}

/** All times are uptimes: milliseconds that no setting of the clock moves. */
export interface Places extends Disposable {
  /** Takes note of what ended and lets go, in their order, those that may leave. undefined: just now it cannot be said, so nothing was done. */
  update(settled: readonly Settlement[], waiting: readonly Waiter[], now: number): Update | undefined;
  /** When a request of this priority could leave, with nobody waiting; now at the earliest. */
  readyAt(priority: Priority, now: number): number;
  state(now: number): Pick<Usage, 'limit' | 'remaining' | 'pausedUntil' | 'isQuota'>;
  usage(now: number): Usage;
}

/** True when one goes before the other. */
export function isBefore(one: Pick<Waiter, 'turn' | 'id'>, other: Pick<Waiter, 'turn' | 'id'>): boolean {
  return one.turn < other.turn || (one.turn === other.turn && one.id < other.id);
}
