// The sixty requests a minute of a key, and what they're for.
import type { Observable } from '../base/observable.ts';

/** Who goes first when the budget is short: what the user did, then what is being followed, then what keeps a view fresh. */
export type Priority = 'user' | 'follow' | 'background';

/**
 * What a request is for. asked: a person waits for it. following: an execution is being followed. portalEvents: portal events are
 * listened to. workflows, executions: what is shown of them is kept fresh. definitions: so are the lines over an open definition.
 */
export type Purpose = 'asked' | 'following' | 'portalEvents' | 'workflows' | 'executions' | 'definitions';

/** How much of the 60 a minute is left, as far as this client knows. */
export interface BudgetState {
  readonly limit: number;
  readonly remaining: number;
  /** Epoch milliseconds until which the service refuses; null when it does not. */
  readonly pausedUntil: number | null;
}

/** What the requests of the last minute are for. */
export interface BudgetUsage extends BudgetState {
  /** Of all windows of this machine; what is not there was not asked for. */
  readonly purposes: Readonly<Partial<Record<Purpose, number>>>;
  /** How many of them other windows sent. */
  readonly otherWindows: number;
  /** Requests of other programs and machines with the same key, as far as the service tells. */
  readonly otherClients: number;
}

/** A key's minute. The state is computed when read; announced when a request leaves or an answer corrects it, not when time frees a place. */
export interface ObservedBudget extends Observable<BudgetState> {
  usage(): BudgetUsage;
  /** Milliseconds until a request for this purpose could leave; 0: now. */
  waitMs(purpose: Purpose): number;
}
