import type { ServiceError } from '../../domain/errors.ts';

/** read: a GET. write: retried only when the service certainly did nothing. */
export type Repeats = 'read' | 'write';

export interface Attempt {
  readonly error: ServiceError;
  readonly repeats: Repeats;
  /** Number of retries so far. */
  readonly repeated: number;
  /** The wait that a 503 requested, in milliseconds. */
  readonly retryAfterMs: number | null;
  /** How long the budget would delay a retry, and the longest delay allowed, in milliseconds. */
  readonly budgetWaitMs: number;
  readonly patienceMs: number;
}

const maximumRepeats = 3;
const firstDelayMs = 250;
const busyStatuses = new Set([502, 503, 504]);
/** These don't recover within a second, and a timeout has already taken its time. */
const lastingCauses = new Set(['tls', 'proxy', 'timeout']);

/** Milliseconds to wait before the next attempt; null to give up. random: from 0 to below 1. */
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
    // Without a cause, the client itself refused to send or timed out.
    const isLasting = error.cause === undefined || lastingCauses.has(reason.cause);
    return isLasting ? null : backOff;
  }
  if (reason.kind !== 'unavailable' || !busyStatuses.has(error.status)) return null;
  const delay = Math.max(backOff, attempt.retryAfterMs ?? 0);
  return delay > attempt.patienceMs ? null : delay;
}
