// Decides which requests may be sent and when: all requests of a key share 60 per minute (contract sections 6 and 7.6).
import { randomBytes } from 'node:crypto';
import { abortReason } from '../../base/async.ts';
import type { Disposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/event.ts';
import type { Clock } from '../../base/time.ts';
import { ServiceError } from '../../domain/errors.ts';
import { limits } from '../../protocol/operations.ts';
import { isBefore, type RequestSlots, type RequestOutcome, type Settlement, type Waiter } from './slots.ts';
import { LocalSlots } from './localSlots.ts';
import type { BudgetState, BudgetUsage, ObservedBudget, Priority, Purpose } from '../../domain/budget.ts';

/** Permission to send one request. Must be released exactly once, with what came of the request. */
export interface RequestPermit {
  /** True when the permit wasn't available at once, so that earlier checks may be outdated. */
  readonly hasWaited: boolean;
  release(reading: RequestOutcome): void;
}

export interface AdmitOptions {
  /** In milliseconds. Default: that of the purpose. */
  readonly patienceMs?: number;
  /** Called whenever it's known that the request has to wait, with the epoch milliseconds until which it probably does. */
  readonly onWait?: (until: number) => void;
}

/** The budget of one client: that of its current key. */
export interface RequestBudget extends ObservedBudget, Disposable {
  /** Waits for a permit. Rejects with "rateLimited" at once when the wait would exceed the patience, or with the signal's reason. */
  admit(purpose: Purpose, signal: AbortSignal, options?: AdmitOptions): Promise<RequestPermit>;
  /** Sets the key of the next requests. Waiting requests continue to wait for the new key's budget. */
  useKey(secret: string): void;
}

export const priorityOf: Readonly<Record<Purpose, Priority>> = {
  asked: 'user',
  following: 'follow',
  portalEvents: 'follow',
  workflows: 'background',
  executions: 'background',
  definitions: 'background',
  tests: 'background',
  search: 'background',
};

/** Longer waits are shown to the user instead of waited for. */
export const longestWaitMs = 5 * 60_000;

/** The longest time that a request waits in the queue unless it says otherwise, in milliseconds. Users get an error instead of a long wait. */
export const maximumWaitMs: Readonly<Record<Priority, number>> = {
  user: 10_000,
  follow: longestWaitMs,
  background: longestWaitMs,
};

/** Milliseconds added to a request's arrival time to get its rank: the user's requests never wait for others, and no request waits forever. */
const headStartMs: Readonly<Record<Priority, number>> = { user: 0, follow: 3_600_000, background: 3_610_000 };

/** Milliseconds before the next attempt when the slots are busy. */
const busyMs = { least: 5, most: 25 } as const;

export interface BudgetDeps {
  readonly clock: Clock;
  /** Monotonic milliseconds, the same in all processes on this machine. Default: the clock. */
  readonly uptime?: () => number;
  /** Requests per minute until the service reports its own limit. Default: 60. */
  readonly requestsPerMinute?: number;
  /** Default: Math.random. Spreads the requests that are sent after a pause. */
  readonly random?: () => number;
}

interface Caller extends Waiter {
  hasWaited: boolean;
  readonly onWait: AdmitOptions['onWait'];
  readonly admit: () => void;
  readonly reject: (error: Error) => void;
}

/** The budget of one key: the queue of the requests that wait for a slot. A timer runs only while requests wait. */
export class KeyBudget implements ObservedBudget, Disposable {
  readonly #slots: RequestSlots;
  readonly #clock: Clock;
  readonly #uptime: () => number;
  readonly #random: () => number;
  readonly #changes = new Emitter<BudgetState>();
  readonly #name = randomBytes(6).toString('hex');
  #count = 0;
  #callers: Caller[] = [];
  #settled: Settlement[] = [];
  #timer: Disposable | undefined;
  #isDue = false;
  #isDisposed = false;

  /** slots: owned by the budget. Default: counts this process alone. */
  constructor(deps: BudgetDeps, slots?: RequestSlots) {
    const { clock, requestsPerMinute = limits.requestsPerMinute, random = Math.random } = deps;
    this.#slots = slots ?? new LocalSlots({ requestsPerMinute, random });
    this.#clock = clock;
    this.#uptime = deps.uptime ?? (() => clock.now());
    this.#random = random;
  }

  get current(): BudgetState {
    const now = this.#uptime();
    const { limit, remaining, pausedUntil } = this.#slots.state(now);
    return { limit, remaining, pausedUntil: pausedUntil === null ? null : this.#dateOf(pausedUntil, now) };
  }

  get onDidChange(): Event<BudgetState> {
    return this.#changes.event;
  }

  usage(): BudgetUsage {
    const { purposes, otherWindows, otherClients } = this.#slots.usage(this.#uptime());
    return { ...this.current, purposes, otherWindows, otherClients };
  }

  waitMs(purpose: Purpose): number {
    const now = this.#uptime();
    return this.#slots.readyAt(priorityOf[purpose], now) - now;
  }

  /** See RequestBudget. */
  admit(
    purpose: Purpose,
    signal: AbortSignal,
    { patienceMs = maximumWaitMs[priorityOf[purpose]], onWait }: AdmitOptions = {},
  ): Promise<RequestPermit> {
    return new Promise((resolve, reject) => {
      if (signal.aborted || this.#isDisposed) {
        reject(abortReason(signal));
        return;
      }
      const onAbort = (): void => {
        this.#callers = this.#callers.filter((each) => each !== caller);
        reject(abortReason(signal));
        this.#askSoon();
      };
      const caller: Caller = {
        ...this.#waiter(purpose, patienceMs),
        hasWaited: false,
        onWait,
        admit: () => {
          signal.removeEventListener('abort', onAbort);
          resolve(this.#permit(caller));
        },
        reject: (error) => {
          signal.removeEventListener('abort', onAbort);
          reject(error);
        },
      };
      signal.addEventListener('abort', onAbort, { once: true });
      const index = this.#callers.findIndex((other) => isBefore(caller, other));
      this.#callers.splice(index < 0 ? this.#callers.length : index, 0, caller);
      this.#askSoon();
    });
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#timer?.dispose();
    const callers = this.#callers;
    this.#callers = [];
    for (const caller of callers) caller.reject(new DOMException('Cancelled', 'AbortError'));
    this.#slots.dispose();
    this.#changes.dispose();
  }

  #waiter(purpose: Purpose, patienceMs: number): Waiter {
    const now = this.#uptime();
    const priority = priorityOf[purpose];
    this.#count += 1;
    return {
      id: `${this.#name}-${String(this.#count).padStart(9, '0')}`,
      purpose,
      priority,
      rank: now + headStartMs[priority],
      deadline: now + patienceMs,
    };
  }

  #permit({ id, hasWaited }: Caller): RequestPermit {
    let isSettled = false;
    return {
      hasWaited,
      release: (reading) => {
        if (isSettled || this.#isDisposed) return;
        isSettled = true;
        this.#settled.push({ id, reading });
        this.#ask();
      },
    };
  }

  /** Runs once for all requests that arrive or are cancelled at the same time. */
  #askSoon(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    queueMicrotask(() => {
      this.#isDue = false;
      if (!this.#isDisposed) this.#ask();
    });
  }

  /** Admits the requests that may be sent, rejects those that can't be sent in time, and schedules the next check for the others. */
  #ask(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    const now = this.#uptime();
    const callers = this.#callers;
    const update = this.#slots.update(this.#settled, callers, now);
    if (update === undefined) {
      for (const caller of callers) caller.hasWaited = true;
      this.#wakeIn(busyMs.least + this.#random() * (busyMs.most - busyMs.least));
      return;
    }
    const { admissions, nextAt } = update;
    let hasChanged = this.#settled.length > 0;
    this.#settled = [];
    this.#callers = [];
    for (const [index, caller] of callers.entries()) {
      const admission = admissions[index] ?? { isAdmitted: false, readyAt: now };
      if (admission.isAdmitted) {
        hasChanged = true;
        caller.admit();
      } else if (admission.readyAt > caller.deadline) caller.reject(this.#refusal(admission.readyAt, now));
      else {
        caller.hasWaited = true;
        this.#callers.push(caller);
        caller.onWait?.(this.#dateOf(admission.readyAt, now));
      }
    }
    if (this.#callers.length > 0) this.#wakeIn(nextAt - now);
    if (hasChanged) this.#changes.fire(this.current);
  }

  #wakeIn(milliseconds: number): void {
    this.#timer = this.#clock.schedule(() => this.#ask(), milliseconds);
  }

  #refusal(readyAt: number, now: number): ServiceError {
    const { isQuota } = this.#slots.state(now);
    const message = isQuota
      ? 'The quota of this API key is used up.'
      : 'The limit of requests per minute is reached.';
    return new ServiceError({ kind: 'rateLimited', retryAt: this.#dateOf(readyAt, now), isQuota }, message);
  }

  #dateOf(uptime: number, now: number): number {
    return Math.round(this.#clock.now() + uptime - now);
  }
}

/** For a request that doesn't count. */
export const freePermit: RequestPermit = { hasWaited: false, release: () => undefined };
const unlimitedState: BudgetState = { limit: Infinity, remaining: Infinity, pausedUntil: null };

/** For a service without a rate limit: the local service's settings. */
export const unlimitedBudget: RequestBudget = Object.freeze({
  current: unlimitedState,
  onDidChange: () => ({ dispose: () => undefined }),
  usage: () => ({ ...unlimitedState, purposes: {}, otherWindows: 0, otherClients: 0 }),
  waitMs: () => 0,
  admit: (_purpose: Purpose, signal: AbortSignal) =>
    signal.aborted ? Promise.reject(abortReason(signal)) : Promise.resolve(freePermit),
  useKey: () => undefined,
  dispose: () => undefined,
});
