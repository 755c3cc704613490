// Counts the requests of this process alone, by the same rules as the file that windows share. Uses no timers or promises.
import type { Priority, Purpose } from '../../domain/budget.ts';
import { limits } from '../../protocol/operations.ts';
import {
  admit,
  earliest,
  readyAt,
  type ReportedLimit,
  settle,
  toMinuteState,
  unreportedLimit,
} from './minute.ts';
import {
  type MinuteState,
  type MinuteUsage,
  type RequestSlots,
  SentRequests,
  type Settlement,
  type Update,
  type Waiter,
} from './slots.ts';

export interface LocalSlotsDeps {
  readonly requestsPerMinute: number;
  /** From 0 to below 1. Spreads the requests that are sent after a pause. */
  readonly random: () => number;
}

export class LocalSlots implements RequestSlots {
  readonly #random: () => number;
  readonly #sent: SentRequests;
  #reported: ReportedLimit;

  constructor({ requestsPerMinute, random }: LocalSlotsDeps, sent = new SentRequests()) {
    this.#reported = unreportedLimit(Math.max(1, requestsPerMinute));
    this.#random = random;
    this.#sent = sent;
  }

  /** Continues from a known state: this process's own requests, and the other used ones as those of other clients. */
  takeOver({ limit, remaining, pausedUntil, isQuota }: MinuteState, now: number): void {
    const others = limit - remaining - this.#sent.counting(now).length;
    const until = pausedUntil ?? 0;
    this.#reported = {
      limit,
      foreign: { count: Math.max(0, others), until: now + limits.windowMs },
      pause: { until, wallUntil: until, isQuota },
    };
  }

  update(settled: readonly Settlement[], waiting: readonly Waiter[], now: number): Update {
    const requests = this.#sent.at(now);
    for (const settlement of settled)
      this.#reported = settle(requests, this.#at(now), settlement, { now, wallNow: now }, this.#random);
    const { admissions } = admit(requests, this.#at(now), waiting, () => 0, now);
    return { admissions, nextAt: earliest(admissions, waiting) };
  }

  readyAt(priority: Priority, now: number): number {
    return readyAt(this.#sent.at(now), this.#at(now), priority, now);
  }

  state(now: number): MinuteState {
    return toMinuteState(this.#at(now), this.#sent.counting(now).length);
  }

  usage(now: number): MinuteUsage {
    const purposes: Partial<Record<Purpose, number>> = {};
    for (const { purpose } of this.#sent.counting(now)) purposes[purpose] = (purposes[purpose] ?? 0) + 1;
    return { ...this.state(now), purposes, otherWindows: 0, otherClients: this.#at(now).foreign.count };
  }

  dispose(): void {
    // Nothing to release.
  }

  /** The limit as far as it still holds. */
  #at(now: number): ReportedLimit {
    const { limit, foreign, pause } = this.#reported;
    const none = unreportedLimit(limit);
    return {
      limit,
      foreign: foreign.until > now ? foreign : none.foreign,
      pause: pause.until > now ? pause : none.pause,
    };
  }
}
