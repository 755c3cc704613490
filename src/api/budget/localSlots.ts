// Counts the requests of this process alone in a sliding minute, corrected for other clients with the same key. Uses no timers or promises.
import type { Priority, Purpose } from '../../domain/budget.ts';
import { limits } from '../../protocol/operations.ts';
import {
  allowedBeside,
  countedBy,
  type ForeignRequests,
  freeAt,
  type MinuteState,
  limitAfter,
  pauseAfter,
  type Slots,
  type RateLimit,
  type SentRequest,
  SentRequests,
  type Settlement,
  type Admission,
  type Update,
  type MinuteUsage,
  type Waiter,
} from './slots.ts';

export interface LocalSlotsDeps {
  readonly requestsPerMinute: number;
  /** From 0 to below 1. Spreads the requests that are sent after a pause. */
  readonly random: () => number;
}

export class LocalSlots implements Slots {
  readonly #random: () => number;
  readonly #sent: SentRequests;
  #limit: number;
  /** When each of this process's requests stops counting, oldest first. */
  #own: number[] = [];
  #foreign: ForeignRequests = { count: 0, until: 0 };
  #pause = { until: 0, isQuota: false };
  #inFlight = 0;

  constructor({ requestsPerMinute, random }: LocalSlotsDeps, sent = new SentRequests()) {
    this.#limit = Math.max(1, requestsPerMinute);
    this.#random = random;
    this.#sent = sent;
  }

  /** Continues from a known state: this process's own requests, and the other used ones as those of other clients. */
  takeOver({ limit, remaining, pausedUntil, isQuota }: MinuteState, now: number): void {
    for (const { expiresAt, settledAt } of this.#sent.counting(now)) {
      this.#leave(Math.min(now, expiresAt - limits.windowMs));
      if (settledAt !== null) this.#settle(null, now);
    }
    const pauseMs = pausedUntil === null ? null : pausedUntil - now;
    this.#settle({ limit, remaining, resetInMs: limits.windowMs, pauseMs, isQuota }, now);
  }

  update(settled: readonly Settlement[], waiting: readonly Waiter[], now: number): Update {
    for (const settlement of settled) {
      const { reading } = settlement;
      const request = this.#sent.settle(settlement, now);
      if (reading === 'unsent') this.#giveBack(request);
      else this.#settle(reading, now);
    }
    let nextAt = Infinity;
    const admissions = waiting.map(({ id, purpose, priority, deadline }): Admission => {
      const readyAt = this.readyAt(priority, now);
      if (readyAt > now) {
        if (readyAt <= deadline) nextAt = Math.min(nextAt, readyAt);
        return { isAdmitted: false, readyAt };
      }
      this.#leave(now);
      this.#sent.add(id, purpose, now);
      return { isAdmitted: true };
    });
    return { admissions, nextAt };
  }

  readyAt(priority: Priority, now: number): number {
    this.#prune(now);
    const start = Math.max(now, this.#pause.until);
    return freeAt(this.#own, this.#foreign, allowedBeside(priority, this.#limit), start);
  }

  state(now: number): MinuteState {
    const { until, isQuota } = this.#pause;
    const isPaused = until > now;
    return {
      limit: this.#limit,
      remaining: this.#remaining(now),
      pausedUntil: isPaused ? until : null,
      isQuota: isPaused && isQuota,
    };
  }

  usage(now: number): MinuteUsage {
    const own = this.#sent.counting(now);
    const purposes: Partial<Record<Purpose, number>> = {};
    for (const { purpose } of own) purposes[purpose] = (purposes[purpose] ?? 0) + 1;
    const state = this.state(now);
    const otherClients = Math.max(0, state.limit - state.remaining - own.length);
    return { ...state, purposes, otherWindows: 0, otherClients };
  }

  dispose(): void {
    // Nothing to release.
  }

  #leave(now: number): void {
    this.#prune(now);
    this.#own.push(now + limits.windowMs);
    this.#inFlight += 1;
  }

  #giveBack(request: SentRequest | undefined): void {
    this.#inFlight = Math.max(0, this.#inFlight - 1);
    const used = request === undefined ? -1 : this.#own.indexOf(request.leftAt + limits.windowMs);
    this.#own = this.#own.filter((_expiry, index) => index !== used);
  }

  #settle(reading: RateLimit | null, now: number): void {
    this.#inFlight = Math.max(0, this.#inFlight - 1);
    if (reading === null) return;
    this.#limit = limitAfter(reading, this.#limit);
    this.#correct(reading, now);
    const pauseMs = pauseAfter(reading, this.#random);
    if (pauseMs !== null && now + pauseMs > this.#pause.until)
      this.#pause = { until: now + pauseMs, isQuota: reading.isQuota };
  }

  /** The service's count doesn't include requests that are still on their way. */
  #correct(reading: RateLimit, now: number): void {
    const counted = countedBy(reading, this.#limit, this.#remaining(now));
    if (counted === undefined) return;
    const used = counted.count + this.#inFlight;
    if (this.#own.length > used) this.#own = this.#own.slice(this.#own.length - used);
    const foreign = Math.min(this.#limit, used - this.#own.length);
    this.#foreign = { count: foreign, until: now + counted.forMs };
  }

  #remaining(now: number): number {
    this.#prune(now);
    return Math.max(0, this.#limit - this.#own.length - this.#foreign.count);
  }

  #prune(now: number): void {
    this.#own = this.#own.filter((expiry) => expiry > now);
    // An expiry more than a window away means that the clock was set back.
    if ((this.#own.at(-1) ?? 0) > now + limits.windowMs)
      this.#own = this.#own.map((expiry) => Math.min(expiry, now + limits.windowMs));
    if (this.#foreign.until <= now) this.#foreign = { count: 0, until: 0 };
  }
}
