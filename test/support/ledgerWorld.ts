// Windows of one machine in one process: each with its own connection to the same file, on a clock moved by hand.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RequestBudget } from '../../src/api/budget/budget.ts';
import { Budgets } from '../../src/api/budget/budgets.ts';
import { Ledger } from '../../src/api/budget/ledger/ledger.ts';
import { DisposableStore } from '../../src/base/disposable.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { HandClock } from './memory/ports.ts';

/** A clock that can be set, beside the uptime, which cannot. */
export class SettableClock extends HandClock {
  #setBy = 0;

  override now(): number {
    return super.now() + this.#setBy;
  }

  #startedAt = Date.UTC(2026, 0, 5, 9);

  readonly uptime = (): number => super.now() - this.#startedAt;

  /** The machine starts anew and had been off for so long, which the wall clock knows. */
  restart(offMs: number): void {
    this.set(offMs);
    this.#startedAt = super.now();
  }

  set(byMs: number): void {
    this.#setBy += byMs;
  }
}

export interface LedgerWorld {
  readonly clock: SettableClock;
  readonly path: string;
  readonly warnings: readonly string[];
  /** Another window, whose client uses the key. */
  openWindow(
    key?: string,
    options?: { readonly path?: string; readonly random?: () => number },
  ): RequestBudget;
  dispose(): void;
}

export const service = 'https://service.example/v1';

export function createLedgerWorld(): LedgerWorld {
  const clock = new SettableClock();
  const folder = mkdtempSync(join(tmpdir(), 'ledger-'));
  const world = join(folder, 'storage', 'budget.db');
  const warnings: string[] = [];
  const owned = new DisposableStore();
  return {
    clock,
    path: world,
    warnings,
    openWindow(key = 'svc_sk_shared', { path = world, random = () => 0.5 } = {}) {
      const logger = { ...silentLogger, warn: (message: string) => void warnings.push(message) };
      const { uptime } = clock;
      const ledger = owned.add(new Ledger({ path, uptime, clock, logger }));
      const budget = owned.add(new Budgets({ clock, uptime, random, ledger })).open(service);
      budget.useKey(key);
      return owned.add(budget);
    },
    dispose() {
      owned.dispose();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
