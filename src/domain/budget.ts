// The rate limit of an API key: 60 requests per minute, shared by several purposes, and how often polls use it.
import type { Observable } from '../base/event.ts';

/** Which requests go first when few are left: the user's own, then those of followed executions, then background refreshes. */
export type Priority = 'user' | 'follow' | 'background';

/**
 * What a request is for. asked: the user is waiting for it. following: an execution is being followed. portalEvents: listening for portal
 * events. workflows, executions: keeps their lists up to date. definitions: keeps the CodeLens of an open definition up to date. tests: runs
 * tests of workflows. search: looks into executions for a search that the service can't do.
 */
export type Purpose =
  'asked' | 'following' | 'portalEvents' | 'workflows' | 'executions' | 'definitions' | 'tests' | 'search';

/** How many of the 60 requests per minute are left, as far as this client knows. */
export interface BudgetState {
  readonly limit: number;
  readonly remaining: number;
  /** Epoch milliseconds until which the service refuses requests; null when it doesn't. */
  readonly pausedUntil: number | null;
}

/** What the requests of the last minute were for. */
export interface BudgetUsage extends BudgetState {
  /** Requests of all windows on this machine. Purposes without requests are left out. */
  readonly purposes: Readonly<Partial<Record<Purpose, number>>>;
  /** How many of these requests other windows sent. */
  readonly otherWindows: number;
  /** Requests of other programs and machines with the same key, as far as the service reports them. */
  readonly otherClients: number;
}

/**
 * The budget of one key. The state is computed on read. Change events fire when a request is sent or a response corrects the count, not
 * when requests expire.
 */
export interface ObservedBudget extends Observable<BudgetState> {
  usage(): BudgetUsage;
  /** Milliseconds until a request for this purpose could be sent; 0 when it can be sent immediately. */
  waitMs(purpose: Purpose): number;
}

/** Milliseconds between two polls, indexed by how many polls in a row found nothing new. The last value repeats. */
export const pollPaces = {
  /** For followed executions and visible views. */
  watched: [2000, 3000, 5000, 8000, 15_000],
  /** For data that's kept up to date while it isn't visible. */
  hidden: [15_000, 30_000, 60_000],
} as const;

/** Milliseconds until the next poll. idlePolls: how many polls in a row found nothing new. */
export function pollDelay(pace: keyof typeof pollPaces, idlePolls: number): number {
  const delays: readonly number[] = pollPaces[pace];
  return delays[Math.min(idlePolls, delays.length - 1)] ?? 15_000;
}
