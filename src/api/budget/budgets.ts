// The service counts by key, not by client, so connections and windows with the same key share one budget.
import { createHash, randomBytes } from 'node:crypto';
import type { Disposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/event.ts';
import type { BudgetState, BudgetUsage, Purpose } from '../../domain/budget.ts';
import { limits } from '../../protocol/operations.ts';
import {
  type AdmitOptions,
  type BudgetDeps,
  KeyBudget,
  type RequestPermit,
  type RequestBudget,
} from './budget.ts';
import type { Ledger } from './ledger/ledger.ts';
import { SharedSlots } from './ledger/sharedSlots.ts';

export interface BudgetsDeps extends BudgetDeps {
  /** Shares the counts with the other windows on this machine. Default: counts this process alone. */
  readonly ledger?: Ledger;
}

/** A key's budget and the number of clients that use it. */
interface Counted {
  readonly budget: KeyBudget;
  users: number;
}

/** A client's use of a key. `ended` cancels its waiting requests. */
interface Use {
  readonly counted: Counted;
  readonly ended: AbortController;
  readonly subscription: Disposable;
}

/** Identifies a key and its origin without containing the key. */
function nameOf(baseUrl: string, secret: string): string {
  const origin = URL.parse(baseUrl)?.origin ?? baseUrl;
  return createHash('sha256').update(`${origin}\n${secret}`).digest('base64');
}

/** True when no requests count, so that the budget can be dropped. */
function isFresh({ current }: KeyBudget): boolean {
  return current.remaining === current.limit && current.pausedUntil === null;
}

/** One budget per key and origin. */
export class Budgets implements Disposable {
  readonly #deps: BudgetsDeps;
  readonly #counts = new Map<string, Counted>();

  constructor(deps: BudgetsDeps) {
    this.#deps = deps;
  }

  /** Returns the budget of a client of this service. Disposing of it cancels only the client's waiting requests. */
  open(baseUrl: string): RequestBudget {
    return new ClientBudget(new KeyBudget(this.#deps), (secret) => this.#find(nameOf(baseUrl, secret)));
  }

  dispose(): void {
    for (const { budget } of this.#counts.values()) budget.dispose();
    this.#counts.clear();
  }

  #find(name: string): Counted {
    const known = this.#counts.get(name);
    if (known !== undefined) return known;
    this.#sweep();
    const counted = { budget: new KeyBudget(this.#deps, this.#sharedSlots(name)), users: 0 };
    this.#counts.set(name, counted);
    return counted;
  }

  #sharedSlots(name: string): SharedSlots | undefined {
    const { ledger, clock, requestsPerMinute = limits.requestsPerMinute, random = Math.random } = this.#deps;
    if (ledger === undefined) return undefined;
    const window = randomBytes(6).toString('hex');
    const wallNow = (): number => clock.now();
    return new SharedSlots({ ledger, name, window, wallNow, requestsPerMinute, random });
  }

  /** Drops unused budgets once their requests stop counting. Until then, a new client may continue with them. */
  #sweep(): void {
    for (const [name, { budget, users }] of this.#counts) {
      if (users > 0 || !isFresh(budget)) continue;
      this.#counts.delete(name);
      budget.dispose();
    }
  }
}

class ClientBudget implements RequestBudget {
  readonly #find: (secret: string) => Counted;
  readonly #changes = new Emitter<BudgetState>();
  #use: Use;
  #isDisposed = false;

  /** unused: the budget until a key is known. No requests are sent without a key. */
  constructor(unused: KeyBudget, find: (secret: string) => Counted) {
    this.#find = find;
    this.#use = this.#begin({ budget: unused, users: 0 });
  }

  get current(): BudgetState {
    return this.#use.counted.budget.current;
  }

  get onDidChange(): Event<BudgetState> {
    return this.#changes.event;
  }

  usage(): BudgetUsage {
    return this.#use.counted.budget.usage();
  }

  waitMs(purpose: Purpose): number {
    return this.#use.counted.budget.waitMs(purpose);
  }

  async admit(purpose: Purpose, signal: AbortSignal, options?: AdmitOptions): Promise<RequestPermit> {
    for (let isAgain = false; ; isAgain = true) {
      const { counted, ended } = this.#use;
      try {
        const permit = await counted.budget.admit(purpose, AbortSignal.any([signal, ended.signal]), options);
        return isAgain ? { ...permit, hasWaited: true } : permit;
      } catch (error) {
        // The key was replaced: the request continues to wait for the new key's budget.
        const isReplaced = ended.signal.aborted && !signal.aborted && !this.#isDisposed;
        if (!isReplaced) throw error;
      }
    }
  }

  useKey(secret: string): void {
    const counted = this.#find(secret);
    if (counted === this.#use.counted || this.#isDisposed) return;
    const earlier = this.#use;
    this.#use = this.#begin(counted);
    end(earlier);
    this.#changes.fire(counted.budget.current);
  }

  dispose(): void {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    end(this.#use);
    this.#changes.dispose();
  }

  #begin(counted: Counted): Use {
    counted.users += 1;
    const subscription = counted.budget.onDidChange((state) => this.#changes.fire(state));
    return { counted, ended: new AbortController(), subscription };
  }
}

function end({ counted, ended, subscription }: Use): void {
  counted.users -= 1;
  subscription.dispose();
  ended.abort(new DOMException('Cancelled', 'AbortError'));
}
