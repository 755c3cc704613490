// Why: all requests of one key share 60 a minute; this decides who may leave and when (contract sections 6 and 7.6).
import { abortReason } from '../base/cancellation.ts';
import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/disposable.ts';
import { Emitter } from '../base/event.ts';
import type { Observable } from '../base/observable.ts';
import { ServiceError } from '../base/serviceError.ts';
import { limits } from '../protocol/operations.ts';
import { createWindow } from './budgetWindow.ts';
import type { LimitReading } from './budgetWindow.ts';
import type { BudgetState, Priority } from './client.ts';
import { longestWaitMs } from './failures/classify.ts';

/** Leave to send one request. To be settled exactly once, with what the answer said of the limit, or null without an answer. */
export interface Permit {
  settle(reading: LimitReading | null): void;
}

/** The places of one key. The seam for sharing them among windows: everything that crosses it is plain data. */
export interface KeyBudget extends Disposable {
  /** Computed when read; announced when a request leaves or an answer corrects it, not when time frees a place. */
  readonly state: Observable<BudgetState>;
  /** Milliseconds until a request of this priority could leave; 0: now. */
  waitMs(priority: Priority): number;
  /** Waits for a place. Rejects with "rateLimited" at once when that takes longer than the priority's patience, or with the signal's reason. */
  admit(priority: Priority, signal: AbortSignal): Promise<Permit>;
}

/** The places that one client asks for: those of the key that it uses. */
export interface RequestBudget extends KeyBudget {
  /** Says which key the next requests carry; what waits goes on waiting for that key's places. */
  useKey(secret: string): void;
}

/** The longest that a request waits inside, in milliseconds: a person is told rather than left hanging. */
export const patienceMs: Readonly<Record<Priority, number>> = {
  user: 10_000,
  follow: longestWaitMs,
  background: longestWaitMs,
};
const rank: Readonly<Record<Priority, number>> = { user: 0, follow: 1, background: 2 };

interface Waiter {
  readonly priority: Priority;
  /** Epoch milliseconds beyond which waiting is given up. */
  readonly deadline: number;
  readonly admit: () => void;
  readonly reject: (error: Error) => void;
}

export interface BudgetParts {
  readonly clock: Clock;
  /** Requests a minute until the service tells its own number. Default 60. */
  readonly requestsPerMinute?: number;
  /** Default Math.random; spreads what leaves after a pause. */
  readonly random?: () => number;
}

/** A budget of this process alone: one per key, see createBudgets. A timer runs only while something waits. */
export function createBudget(parts: BudgetParts): KeyBudget {
  const { clock } = parts;
  const window = createWindow(
    parts.requestsPerMinute ?? limits.requestsPerMinute,
    parts.random ?? Math.random,
  );
  const emitter = new Emitter<BudgetState>();
  const waiters: Waiter[] = [];
  let timer: Disposable | undefined;
  let isDisposed = false;

  const changed = (): void => {
    emitter.fire(window.state(clock.now()));
  };

  const settling = (): Permit => {
    let isSettled = false;
    return {
      settle(reading) {
        if (isSettled) return;
        isSettled = true;
        window.settle(reading, clock.now());
        changed();
        pump();
      },
    };
  };

  /** Lets go whoever may leave, gives up for whoever cannot in time, and wakes up for the first of the others. */
  function pump(): void {
    timer?.dispose();
    timer = undefined;
    const now = clock.now();
    for (const waiter of [...waiters]) {
      const readyAt = window.readyAt(waiter.priority, now);
      if (readyAt > now && readyAt <= waiter.deadline) continue;
      waiters.splice(waiters.indexOf(waiter), 1);
      if (readyAt <= now) waiter.admit();
      else waiter.reject(refusal(readyAt));
    }
    const [first] = waiters;
    if (first) timer = clock.schedule(pump, window.readyAt(first.priority, now) - now);
  }

  function refusal(retryAt: number): ServiceError {
    const isQuota = window.isQuota(clock.now());
    const message = isQuota
      ? 'The quota of this API key is used up.'
      : 'The limit of requests per minute is reached.';
    return new ServiceError({ kind: 'rateLimited', retryAt, isQuota }, message);
  }

  function enqueue(waiter: Waiter): void {
    const place = waiters.findIndex((other) => rank[other.priority] > rank[waiter.priority]);
    waiters.splice(place < 0 ? waiters.length : place, 0, waiter);
    pump();
  }

  function admit(priority: Priority, signal: AbortSignal): Promise<Permit> {
    return new Promise((resolve, reject) => {
      if (signal.aborted || isDisposed) {
        reject(abortReason(signal));
        return;
      }
      const onAbort = (): void => {
        waiters.splice(waiters.indexOf(waiter), 1);
        reject(abortReason(signal));
        pump();
      };
      const waiter: Waiter = {
        priority,
        deadline: clock.now() + patienceMs[priority],
        admit() {
          signal.removeEventListener('abort', onAbort);
          window.leave(clock.now());
          resolve(settling());
          changed();
        },
        reject(error) {
          signal.removeEventListener('abort', onAbort);
          reject(error);
        },
      };
      signal.addEventListener('abort', onAbort, { once: true });
      enqueue(waiter);
    });
  }

  return Object.freeze({
    state: {
      get current() {
        return window.state(clock.now());
      },
      onDidChange: emitter.event,
    },
    waitMs: (priority: Priority) => {
      const now = clock.now();
      return window.readyAt(priority, now) - now;
    },
    admit,
    dispose() {
      isDisposed = true;
      timer?.dispose();
      for (const waiter of waiters.splice(0)) waiter.reject(new DOMException('Cancelled', 'AbortError'));
      emitter.dispose();
    },
  });
}

/** For a request that nothing counts. */
export const freePermit: Permit = { settle: () => undefined };

/** For a service without a limit: the local service's settings. */
export const unlimitedBudget: RequestBudget = Object.freeze({
  state: {
    current: { limit: Infinity, remaining: Infinity, pausedUntil: null },
    onDidChange: () => ({ dispose: () => undefined }),
  },
  waitMs: () => 0,
  admit: (_priority: Priority, signal: AbortSignal) =>
    signal.aborted ? Promise.reject(abortReason(signal)) : Promise.resolve(freePermit),
  useKey: () => undefined,
  dispose: () => undefined,
});
