import type { BudgetState } from '../../../domain/budget.ts';

/** left: few requests are left. resumes: even a request of the user has to wait, inMs milliseconds. */
export type BudgetLook =
  | { readonly kind: 'left'; readonly remaining: number; readonly limit: number }
  | { readonly kind: 'resumes'; readonly inMs: number };

/**
 * Undefined while enough requests are left. waitMs: until a request of the user may be sent. Once shown, it stays until half of
 * the limit is left, to avoid flicker.
 */
export function lookAt(
  { limit, remaining }: BudgetState,
  waitMs: number,
  isShown: boolean,
): BudgetLook | undefined {
  if (waitMs > 0) return { kind: 'resumes', inMs: waitMs };
  const plenty = isShown ? limit / 2 : limit / 3;
  return remaining < plenty ? { kind: 'left', remaining, limit } : undefined;
}

/** Milliseconds until the text may change without an event, because requests become available again. Longer while the window isn't focused. */
export function nextLookMs(look: BudgetLook, isFocused: boolean): number {
  if (look.kind === 'resumes') return isFocused ? Math.min(1000, look.inMs) : look.inMs;
  return isFocused ? 5000 : 60_000;
}
