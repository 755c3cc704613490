// Requests to a service that says nothing of its limit.
import type { RequestBudget } from '../../src/api/budget/budget.ts';
import type { RateLimit } from '../../src/api/budget/slots.ts';
import type { Purpose } from '../../src/domain/budget.ts';

export const silent: RateLimit = {
  limit: null,
  remaining: null,
  resetInMs: null,
  pauseMs: null,
  isQuota: false,
};

export const forever = new AbortController().signal;

/** Requests that leave and are answered at once. */
export async function spend(budget: RequestBudget, count: number, purpose: Purpose = 'asked'): Promise<void> {
  for (let sent = 0; sent < count; sent += 1) (await budget.admit(purpose, forever)).release(silent);
}
