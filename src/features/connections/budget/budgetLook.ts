// When the status bar says something of a key's minute, what, and when to look again; pure.
import type { BudgetState } from '../../../domain/budget.ts';

/** left: how many requests are left. resumes: not even a person's may leave before, in milliseconds. */
export type BudgetLook =
  | { readonly kind: 'left'; readonly remaining: number; readonly limit: number }
  | { readonly kind: 'resumes'; readonly inMs: number };

/** Undefined while there is plenty. waitMs: until a person's request may leave. Once shown it stays until half is left, so that it does not flicker. */
export function lookAt(
  { limit, remaining }: BudgetState,
  waitMs: number,
  isShown: boolean,
): BudgetLook | undefined {
  if (waitMs > 0) return { kind: 'resumes', inMs: waitMs };
  const plenty = isShown ? limit / 2 : limit / 3;
  return remaining < plenty ? { kind: 'left', remaining, limit } : undefined;
}

/** Milliseconds until it may say something else by itself: places come free. In a window that nobody looks at, once, when it should be over. */
export function nextLookMs(look: BudgetLook, isFocused: boolean): number {
  if (look.kind === 'resumes') return isFocused ? Math.min(1000, look.inMs) : look.inMs;
  return isFocused ? 5000 : 60_000;
}
