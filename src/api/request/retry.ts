// Says what may be sent again and when, as a pure rule.
import type { ServiceError } from '../../domain/serviceError.ts';

/** read: a GET. write: repeated only when surely nothing was done. */
export type Repeats = 'read' | 'write';

export interface Attempt {
  readonly error: ServiceError;
  readonly repeats: Repeats;
  /** How often it was repeated already. */
  readonly repeated: number;
  /** What a 503 said of the wait, in milliseconds. */
  readonly retryAfterMs: number | null;
  /** How long the budget would hold a repetition back, and how long it may. */
  readonly budgetWaitMs: number;
  readonly patienceMs: number;
}

const maximumRepeats = 3;
const firstDelayMs = 250;
const busyStatuses = new Set([502, 503, 504]);
/** These do not heal by themselves within a second; a time-out has cost its time already. */
const lastingCauses = new Set(['tls', 'proxy', 'timeout']);

/** Milliseconds to wait before the next try; null: give up. random: from 0 to below 1. */
export function repeatDelay(attempt: Attempt, random: () => number): number | null {
  const { error, repeats, repeated } = attempt;
  if (repeated >= maximumRepeats) return null;
  const backOff = Math.round(firstDelayMs * 2 ** repeated * (0.5 + random() / 2));
  const { reason } = error;
  if (reason.kind === 'rateLimited') {
    const isOwnRefusal = error.status === 0;
    return isOwnRefusal || reason.isQuota || attempt.budgetWaitMs > attempt.patienceMs ? null : 0;
  }
  if (repeats !== 'read') return null;
  if (reason.kind === 'unreachable') {
    // Without a cause it was our own refusal to send, or our own clock.
    const isLasting = error.cause === undefined || lastingCauses.has(reason.cause);
    return isLasting ? null : backOff;
  }
  if (reason.kind !== 'unavailable' || !busyStatuses.has(error.status)) return null;
  const delay = Math.max(backOff, attempt.retryAfterMs ?? 0);
  return delay > attempt.patienceMs ? null : delay;
}
