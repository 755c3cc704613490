// Counts the requests of this process alone, corrected by what the service reports.
import { type BudgetWindow, createWindow } from './budgetWindow.ts';
import type { Places, Settlement, Turn, Update, Usage, Waiter } from './places.ts';
import { countPurposes, SentRequests } from './sentRequests.ts';
import { limits } from '../../protocol/operations.ts';
import type { Priority } from '../../domain/budget.ts';

export interface LocalPlacesDeps {
  readonly requestsPerMinute: number;
  /** From 0 to below 1. Spreads the requests that are sent after a pause. */
  readonly random: () => number;
}

/** The state that's known when this process starts to count for itself. */
export type Known = Pick<Usage, 'limit' | 'remaining' | 'pausedUntil' | 'isQuota'>;

export class LocalPlaces implements Places {
  readonly #window: BudgetWindow;
  readonly #sent: SentRequests;

  constructor({ requestsPerMinute, random }: LocalPlacesDeps, sent = new SentRequests()) {
    this.#window = createWindow(requestsPerMinute, random);
    this.#sent = sent;
  }

  /** Continues from a known state: this process's own requests, and the other used ones as those of other clients. */
  takeOver({ limit, remaining, pausedUntil, isQuota }: Known, now: number): void {
    const own = this.#sent.counting(now);
    for (const { expiresAt, settledAt } of own) {
      this.#window.leave(Math.min(now, expiresAt - limits.windowMs));
      if (settledAt !== null) this.#window.settle(null, now);
    }
    const pauseMs = pausedUntil === null ? null : pausedUntil - now;
    this.#window.settle({ limit, remaining, resetInMs: limits.windowMs, pauseMs, isQuota }, now);
  }

  update(settled: readonly Settlement[], waiting: readonly Waiter[], now: number): Update {
    for (const { id, reading } of settled) {
      this.#sent.settle(id, now);
      this.#window.settle(reading, now);
    }
    let nextAt = Infinity;
    const turns = waiting.map(({ id, purpose, priority, deadline }): Turn => {
      const readyAt = this.#window.readyAt(priority, now);
      if (readyAt > now) {
        if (readyAt <= deadline) nextAt = Math.min(nextAt, readyAt);
        return { isAdmitted: false, readyAt };
      }
      this.#window.leave(now);
      this.#sent.add(id, purpose, now);
      return { isAdmitted: true };
    });
    return { turns, nextAt };
  }

  readyAt(priority: Priority, now: number): number {
    return this.#window.readyAt(priority, now);
  }

  state(now: number): Known {
    return { ...this.#window.state(now), isQuota: this.#window.isQuota(now) };
  }

  usage(now: number): Usage {
    const own = this.#sent.counting(now);
    const state = this.state(now);
    const otherClients = Math.max(0, state.limit - state.remaining - own.length);
    return { ...state, purposes: countPurposes(own), otherWindows: 0, otherClients };
  }

  dispose(): void {
    // Nothing to release.
  }
}
