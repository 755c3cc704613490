import { type Clock, wait } from '../../base/time.ts';
import type { Purpose } from '../../domain/budget.ts';
import { isTransient, ServiceError } from '../../domain/serviceError.ts';
import type { Transport } from '../request/transport.ts';
import type { Interruption } from './items.ts';

/** What following needs of the machine. */
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

/** retry: connect again. limit: wait for the limit and go on. gap: read from the start. noStream: poll instead. fatal: give up. */
export type RetryDecision = 'retry' | 'limit' | 'gap' | 'noStream' | 'fatal';

const decisions: Readonly<Partial<Record<ServiceError['reason']['kind'], RetryDecision>>> = {
  secretStorage: 'retry',
  notOffered: 'noStream',
  invalid: 'noStream',
  unreadable: 'noStream',
  gap: 'gap',
};

/** What a failure means for a stream or a poll. */
export function retryDecision(error: ServiceError): RetryDecision {
  if (isTransient(error)) return error.reason.kind === 'rateLimited' ? 'limit' : 'retry';
  return decisions[error.reason.kind] ?? 'fatal';
}

const longestMs = 30_000;
/** What a service asks for with `retry` is kept to, within reason. */
const longestFloorMs = 5 * 60_000;

/** Milliseconds before reconnecting: 1 s·2ⁿ and jitter, at most 30 s, at least what the service asked for. failures: from 0. random: from 0 to below 1. */
export function backOff(failures: number, floorMs: number, random: () => number): number {
  const backOffMs = 1000 * 2 ** Math.min(failures, 5);
  const delay = Math.min(longestMs, Math.round(backOffMs * (1 + random() / 2)));
  return Math.max(delay, Math.min(floorMs, longestFloorMs));
}

/** A connection that lasted this long was sound, whatever ended it. */
const soundAfterMs = 30_000;

/** Counts the failures in a row of one stream or poll, and says how long to wait after each. */
export class Retries {
  readonly #context: StreamContext;
  #failures = 0;
  /** What the service asked to wait before reconnecting, in milliseconds. */
  floorMs = 0;

  constructor(context: StreamContext) {
    this.#context = context;
  }

  /** Something came: the next failure is the first one again. */
  reset(): void {
    this.#failures = 0;
  }

  resetIfSound(openedAt: number): void {
    if (this.#context.clock.now() - openedAt >= soundAfterMs) this.reset();
  }

  /** What to say about a failure that is not the end, before `wait`. */
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

  /** The pause that the budget asks for before the next request; undefined when there is a place. */
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

/** The error as a ServiceError; throws any other one. */
export function needServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  throw error;
}
