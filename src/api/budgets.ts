// Why: the service counts by key, not by client: checking a key and two connections that share it draw from the same sixty a minute.
import { createHash } from 'node:crypto';
import type { Disposable } from '../base/disposable.ts';
import { Emitter } from '../base/event.ts';
import { createBudget } from './budget.ts';
import type { BudgetParts, KeyBudget, Permit, RequestBudget } from './budget.ts';
import type { BudgetState, Priority } from './client.ts';

/** One budget per key and origin in this process. */
export interface Budgets extends Disposable {
  /** The places of a client of this service; disposing of them cancels what the client has waiting and nothing else. */
  open(baseUrl: string): RequestBudget;
}

/** A key's budget and how many clients use it now. */
interface Counted {
  readonly budget: KeyBudget;
  users: number;
}

/** A client's use of a key; its end is told to what waits. */
interface Use {
  readonly counted: Counted;
  readonly ended: AbortController;
  readonly subscription: Disposable;
}

/** Names a key where it counts, without holding it. */
function nameOf(baseUrl: string, secret: string): string {
  const origin = URL.parse(baseUrl)?.origin ?? baseUrl;
  return createHash('sha256').update(`${origin}\n${secret}`).digest('base64');
}

/** Nothing is counted any more, so nothing is lost with it. */
function isFresh({ state }: KeyBudget): boolean {
  const { limit, remaining, pausedUntil } = state.current;
  return remaining === limit && pausedUntil === null;
}

export function createBudgets(parts: BudgetParts): Budgets {
  const counts = new Map<string, Counted>();

  /** A key's count outlives its clients by the minute that it speaks of: the next client may come at once. */
  function sweep(): void {
    for (const [name, { budget, users }] of counts) {
      if (users > 0 || !isFresh(budget)) continue;
      counts.delete(name);
      budget.dispose();
    }
  }

  function find(name: string): Counted {
    const known = counts.get(name);
    if (known !== undefined) return known;
    sweep();
    const counted = { budget: createBudget(parts), users: 0 };
    counts.set(name, counted);
    return counted;
  }

  return Object.freeze({
    open: (baseUrl: string) =>
      new ClientBudget(createBudget(parts), (secret) => find(nameOf(baseUrl, secret))),
    dispose() {
      for (const { budget } of counts.values()) budget.dispose();
      counts.clear();
    },
  });
}

class ClientBudget implements RequestBudget {
  readonly #find: (secret: string) => Counted;
  readonly #changes = new Emitter<BudgetState>();
  #use: Use;
  #isDisposed = false;
  readonly state: KeyBudget['state'];

  /** unused: stands for the budget until a key is known; nothing leaves without one. */
  constructor(unused: KeyBudget, find: (secret: string) => Counted) {
    this.#find = find;
    this.#use = this.#begin({ budget: unused, users: 0 });
    const current = (): BudgetState => this.#use.counted.budget.state.current;
    this.state = {
      get current() {
        return current();
      },
      onDidChange: this.#changes.event,
    };
  }

  waitMs(priority: Priority): number {
    return this.#use.counted.budget.waitMs(priority);
  }

  async admit(priority: Priority, signal: AbortSignal): Promise<Permit> {
    for (;;) {
      const { counted, ended } = this.#use;
      try {
        return await counted.budget.admit(priority, AbortSignal.any([signal, ended.signal]));
      } catch (error) {
        // The key was replaced: what waited for the old one's places goes on with the new one's.
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
    this.#changes.fire(counted.budget.state.current);
  }

  dispose(): void {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    end(this.#use);
    this.#changes.dispose();
  }

  #begin(counted: Counted): Use {
    counted.users += 1;
    const subscription = counted.budget.state.onDidChange((state) => {
      this.#changes.fire(state);
    });
    return { counted, ended: new AbortController(), subscription };
  }
}

function end({ counted, ended, subscription }: Use): void {
  counted.users -= 1;
  subscription.dispose();
  ended.abort(new DOMException('Cancelled', 'AbortError'));
}
