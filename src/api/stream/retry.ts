import { type Clock, wait } from '../../base/time.ts';
import type { Purpose } from '../../domain/budget.ts';
import { isTransient, ServiceError, type UnreadableCause } from '../../domain/errors.ts';
import type { Transport } from '../request/transport.ts';
import type { Interruption } from '../servicePort.ts';

export interface FollowTools {
  readonly clock: Clock;
  /** From 0 to below 1. */
  readonly random: () => number;
}

export interface StreamContext extends FollowTools {
  readonly transport: Transport;
  readonly purpose: Purpose;
  readonly signal: AbortSignal;
}

/** retry: reconnect. limit: wait for the rate limit and continue. gap: read from the start. noStream: poll instead. fatal: give up. */
export type RetryDecision = 'retry' | 'limit' | 'gap' | 'noStream' | 'fatal';

const decisions: Readonly<Partial<Record<ServiceError['reason']['kind'], RetryDecision>>> = {
  notOffered: 'noStream',
  invalid: 'noStream',
  unreadable: 'noStream',
  gap: 'gap',
};

/** Returns what a stream or a poll does after a failure. */
export function retryDecision(error: ServiceError): RetryDecision {
  if (isTransient(error)) return error.reason.kind === 'rateLimited' ? 'limit' : 'retry';
  return decisions[error.reason.kind] ?? 'fatal';
}

const longestMs = 30_000;
/** Maximum wait that a service can request with `retry`. */
const longestFloorMs = 5 * 60_000;

/**
 * Milliseconds before reconnecting: 1 s·2ⁿ plus jitter, at most 30 s, and at least what the service requested. failures: from 0. random:
 * from 0 to below 1.
 */
export function backOff(failures: number, floorMs: number, random: () => number): number {
  const backOffMs = 1000 * 2 ** Math.min(failures, 5);
  const delay = Math.min(longestMs, Math.round(backOffMs * (1 + random() / 2)));
  return Math.max(delay, Math.min(floorMs, longestFloorMs));
}

/** A connection that lasted this long counts as working, however it ended. */
const soundAfterMs = 30_000;

/** How many unusable responses in a row a poll takes for those of something before the service, such as a gateway. */
const maximumUnusable = 3;
const passingCauses: ReadonlySet<UnreadableCause> = new Set(['webPage', 'notJson', 'incomplete', 'redirect']);

/** Counts the consecutive failures of one stream or poll, and returns how long to wait after each. */
export class Retries {
  readonly #context: StreamContext;
  #failures = 0;
  #unusable = 0;
  /** Minimum wait before reconnecting that the service requested, in milliseconds. */
  floorMs = 0;

  constructor(context: StreamContext) {
    this.#context = context;
  }

  /** Call when something has arrived: the next failure counts as the first one. */
  reset(): void {
    this.#failures = 0;
    this.#unusable = 0;
  }

  /** Whether to poll again after a response that couldn't be read: the next one may be the service's own. */
  mayRepeat({ reason }: ServiceError): boolean {
    if (reason.kind !== 'unreadable' || !passingCauses.has(reason.cause)) return false;
    this.#unusable += 1;
    return this.#unusable <= maximumUnusable;
  }

  resetIfSound(openedAt: number): void {
    if (this.#context.clock.now() - openedAt >= soundAfterMs) this.reset();
  }

  /** Returns the interruption for a failure that isn't fatal, to be yielded before `wait`. */
  interruption(error: ServiceError, decision: 'retry' | 'limit'): Interruption {
    const { clock, random } = this.#context;
    if (decision === 'limit') {
      const retryAt = error.reason.kind === 'rateLimited' ? error.reason.retryAt : 0;
      return { kind: 'paused', resumeInMs: Math.max(1000, retryAt - clock.now()) };
    }
    const retryInMs = backOff(this.#failures, this.floorMs, random);
    this.#failures += 1;
    return { kind: 'lost', error, retryInMs };
  }

  /** Returns the pause that the budget requires before the next request; undefined when there's none. */
  budgetPause(): Interruption | undefined {
    const { transport, purpose } = this.#context;
    const resumeInMs = transport.budget.waitMs(purpose);
    return resumeInMs > 0 ? { kind: 'paused', resumeInMs } : undefined;
  }

  wait(interruption: Interruption): Promise<void> {
    const { clock, signal } = this.#context;
    const delayMs = interruption.kind === 'lost' ? interruption.retryInMs : interruption.resumeInMs;
    return wait(clock, delayMs, signal);
  }
}

/** Returns the error as a ServiceError; throws any other error. */
export function needServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  throw error;
}
