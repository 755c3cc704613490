// Counts a key's requests together with the other windows on this machine. When the ledger can't be used, counts this window alone, from the last
// known state.
import { limits } from '../../../protocol/operations.ts';
import { priorityOf } from '../budget.ts';
import {
  allowedBeside,
  countedBy,
  freeAt,
  isBefore,
  type MinuteState,
  limitAfter,
  pauseAfter,
  type Slots,
  SentRequests,
  type Settlement,
  type Admission,
  type Update,
  type MinuteUsage,
  type Waiter,
} from '../slots.ts';
import { LocalSlots, type LocalSlotsDeps } from '../localSlots.ts';
import { KeyRows, type ReportedLimit } from './keyRows.ts';
import type { Ledger } from './ledger.ts';
import type { LedgerFile } from './ledgerFile.ts';
import type { Priority, Purpose } from '../../../domain/budget.ts';

export interface SharedSlotsDeps extends LocalSlotsDeps {
  readonly ledger: Ledger;
  /** Identifies key and origin without containing them. */
  readonly name: string;
  /** Identifies this window among those that share the file. */
  readonly window: string;
  /** Epoch milliseconds. */
  readonly wallNow: () => number;
}

/** How often waiting requests are renewed and those of other windows are checked. */
const showEveryMs = 1000;
/** Keeps windows that wait for the same time from writing at once. */
const jitterMs = { least: 1, most: 15 } as const;

export class SharedSlots implements Slots {
  readonly #deps: SharedSlotsDeps;
  readonly #sent = new SentRequests();
  /** The file that contains this window's requests. Another file needs them again. */
  #generation = 0;
  /** The waiting requests last written to the file, and when. */
  #shown = { ids: '', at: -Infinity };
  #known: MinuteState;
  /** Used instead while the ledger can't be used. */
  #alone: LocalSlots | undefined;

  constructor(deps: SharedSlotsDeps) {
    this.#deps = deps;
    const limit = deps.requestsPerMinute;
    this.#known = { limit, remaining: limit, pausedUntil: null, isQuota: false };
  }

  update(settled: readonly Settlement[], waiting: readonly Waiter[], now: number): Update | undefined {
    const isIdle = settled.length === 0 && waiting.length === 0 && this.#shown.ids === '';
    if (isIdle) return { admissions: [], nextAt: Infinity };
    const attempt = this.#deps.ledger.write((file, generation) => {
      const rows = this.#rows(file, now);
      rows.prune();
      const reported = this.#report(rows, settled, generation, now);
      return { ...this.#admit(rows, reported, waiting, now), generation };
    });
    if (attempt.kind === 'busy') return undefined;
    if (attempt.kind === 'lost') return this.#countAlone(now).update(settled, waiting, now);
    const { admissions, known, shown, generation } = attempt.value;
    this.#alone = undefined;
    this.#generation = generation;
    this.#known = known;
    this.#shown = shown;
    for (const settlement of settled) this.#sent.settle(settlement, now);
    waiting.forEach(({ id, purpose }, index) => {
      if (admissions[index]?.isAdmitted === true) this.#sent.add(id, purpose, now);
    });
    return { admissions, nextAt: this.#nextAt(admissions, waiting, now) };
  }

  readyAt(priority: Priority, now: number): number {
    return this.#read(
      now,
      (rows, reported) => {
        const allowed = allowedBeside(priority, reported.limit);
        const start = Math.max(now, reported.pause.until);
        if (start <= now && rows.count() + reported.foreign.count <= allowed) return now;
        return freeAt(rows.expiries(), reported.foreign, allowed, start);
      },
      (alone) => alone.readyAt(priority, now),
    );
  }

  state(now: number): MinuteState {
    return this.#read(
      now,
      (rows, reported) => toKnown(reported, rows.count()),
      (alone) => alone.state(now),
    );
  }

  usage(now: number): MinuteUsage {
    return this.#read(
      now,
      (rows, reported) => {
        const purposes: Partial<Record<Purpose, number>> = {};
        let otherWindows = 0;
        for (const { purpose, isOwn, count } of rows.purposes()) {
          if (isPurpose(purpose)) purposes[purpose] = (purposes[purpose] ?? 0) + count;
          if (!isOwn) otherWindows += count;
        }
        const known = toKnown(reported, rows.count());
        return { ...known, purposes, otherWindows, otherClients: reported.foreign.count };
      },
      (alone) => alone.usage(now),
    );
  }

  /** Removes the waiting requests, so that other windows don't wait for them. */
  dispose(): void {
    if (this.#shown.ids === '') return;
    this.#deps.ledger.write((file) => this.#rows(file, 0).wait([]));
  }

  #rows(file: LedgerFile, now: number): KeyRows {
    const { name, window, wallNow } = this.#deps;
    return new KeyRows(file, { name, window, now, wallNow: wallNow() });
  }

  #read<T>(
    now: number,
    read: (rows: KeyRows, reported: ReportedLimit) => T,
    readAlone: (alone: LocalSlots) => T,
  ): T {
    if (this.#alone !== undefined) return readAlone(this.#alone);
    const attempt = this.#deps.ledger.read((file) => {
      const rows = this.#rows(file, now);
      return read(rows, rows.reported() ?? this.#unreported());
    });
    return attempt.kind === 'done' ? attempt.value : readAlone(this.#countAlone(now));
  }

  #unreported(): ReportedLimit {
    return {
      limit: this.#deps.requestsPerMinute,
      foreign: { count: 0, until: 0 },
      pause: { until: 0, wallUntil: 0, isQuota: false },
    };
  }

  #countAlone(now: number): LocalSlots {
    if (this.#alone !== undefined) return this.#alone;
    const alone = new LocalSlots(this.#deps, this.#sent);
    alone.takeOver(this.#known, now);
    this.#generation = 0;
    this.#shown = { ids: '', at: -Infinity };
    return (this.#alone = alone);
  }

  /** Writes the rate limits from responses, and the requests that are missing in a file that's new to this window. */
  #report(rows: KeyRows, settled: readonly Settlement[], generation: number, now: number): ReportedLimit {
    const before = rows.reported();
    let reported = before ?? this.#unreported();
    if (generation !== this.#generation) reported = this.#bring(rows, reported, before === undefined, now);
    for (const settlement of settled) reported = this.#settle(rows, reported, settlement, now);
    if (reported !== before) rows.report(reported);
    return reported;
  }

  /** Adds own requests that are missing in the file. Requests of other windows count as foreign until those windows add them. */
  #bring(rows: KeyRows, reported: ReportedLimit, isNew: boolean, now: number): ReportedLimit {
    const own = this.#sent.counting(now);
    const missing = own.filter((request) => rows.put(request)).length;
    const { limit, remaining, pausedUntil, isQuota } = this.#alone?.state(now) ?? this.#known;
    const foreign = isNew
      ? { count: Math.max(0, limit - remaining - own.length), until: now + limits.windowMs }
      : { ...reported.foreign, count: Math.max(0, reported.foreign.count - missing) };
    const wallUntil = this.#deps.wallNow() + (pausedUntil ?? now) - now;
    const pause =
      pausedUntil !== null && pausedUntil > reported.pause.until
        ? { until: pausedUntil, wallUntil, isQuota }
        : reported.pause;
    return { limit: isNew ? limit : reported.limit, foreign, pause };
  }

  #settle(rows: KeyRows, reported: ReportedLimit, { id, reading }: Settlement, now: number): ReportedLimit {
    if (reading === 'unsent') {
      rows.remove(id);
      return reported;
    }
    const leftAt = rows.end(id);
    if (reading === null) return reported;
    const { wallNow, random } = this.#deps;
    const limit = limitAfter(reading, reported.limit);
    let next = limit === reported.limit ? reported : { ...reported, limit };
    const count = rows.count();
    const counted = countedBy(reading, limit, limit - count - reported.foreign.count);
    if (counted !== undefined && leftAt !== undefined) {
      const used = counted.count + rows.countTogether(id, leftAt);
      if (count > used) rows.forgetOldest(count - used);
      const foreign = Math.min(limit, Math.max(0, used - count));
      next = { ...next, foreign: { count: foreign, until: now + counted.forMs } };
    }
    const pauseMs = pauseAfter(reading, random);
    if (pauseMs === null || now + pauseMs <= next.pause.until) return next;
    const pause = { until: now + pauseMs, wallUntil: wallNow() + pauseMs, isQuota: reading.isQuota };
    return { ...next, pause };
  }

  /** Admits requests in the order of all windows: those that wait in other windows and go first get their slots first. */
  #admit(rows: KeyRows, reported: ReportedLimit, waiting: readonly Waiter[], now: number) {
    const others = waiting.length === 0 ? [] : rows.others();
    const start = Math.max(now, reported.pause.until);
    let count = rows.count();
    let expiries: readonly number[] | undefined;
    let before = 0;
    const stay: Waiter[] = [];
    const admissions = waiting.map((waiter): Admission => {
      for (let other = others[before]; other && isBefore(other, waiter); other = others[before]) before += 1;
      const allowed = allowedBeside(waiter.priority, reported.limit) - before - stay.length;
      if (start <= now && count + reported.foreign.count <= allowed) {
        rows.leave(waiter);
        count += 1;
        return { isAdmitted: true };
      }
      expiries ??= rows.expiries();
      const readyAt = freeAt(expiries, reported.foreign, allowed, start);
      if (readyAt <= waiter.deadline) stay.push(waiter);
      return { isAdmitted: false, readyAt };
    });
    return {
      admissions,
      known: toKnown(reported, count),
      shown: this.#show(rows, stay.slice(0, reported.limit), now),
    };
  }

  #show(rows: KeyRows, stay: readonly Waiter[], now: number): { ids: string; at: number } {
    const ids = stay.map(({ id }) => id).join(' ');
    const isKnown = ids === this.#shown.ids && (ids === '' || now - this.#shown.at < showEveryMs);
    if (isKnown) return this.#shown;
    rows.wait(stay);
    return { ids, at: now };
  }

  #nextAt(admissions: readonly Admission[], waiting: readonly Waiter[], now: number): number {
    let nextAt = now + showEveryMs;
    waiting.forEach(({ deadline }, index) => {
      const admission = admissions[index];
      if (admission?.isAdmitted === false && admission.readyAt <= deadline)
        nextAt = Math.min(nextAt, admission.readyAt);
    });
    return nextAt + jitterMs.least + this.#deps.random() * (jitterMs.most - jitterMs.least);
  }
}

function toKnown({ limit, foreign, pause }: ReportedLimit, count: number): MinuteState {
  return {
    limit,
    remaining: Math.max(0, limit - count - foreign.count),
    pausedUntil: pause.until > 0 ? pause.until : null,
    isQuota: pause.isQuota,
  };
}

/** False for a purpose that another version of the extension wrote. */
const isPurpose = (text: string): text is Purpose => Object.hasOwn(priorityOf, text);
