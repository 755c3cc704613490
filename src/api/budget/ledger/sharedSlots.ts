// Counts a key's requests together with the other windows on this machine. When the ledger can't be used, counts this window alone, from the last
// known state.
import { limits } from '../../../protocol/operations.ts';
import { priorityOf } from '../budget.ts';
import {
  admit,
  earliest,
  readyAt,
  type ReportedLimit,
  settle,
  toMinuteState,
  unreportedLimit,
} from '../minute.ts';
import {
  type Admission,
  isBefore,
  type MinuteState,
  type MinuteUsage,
  type RequestSlots,
  SentRequests,
  type Settlement,
  type Update,
  type Waiter,
} from '../slots.ts';
import { LocalSlots, type LocalSlotsDeps } from '../localSlots.ts';
import { KeyRows } from './keyRows.ts';
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

export class SharedSlots implements RequestSlots {
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
      (rows, reported) => readyAt(rows, reported, priority, now),
      (alone) => alone.readyAt(priority, now),
    );
  }

  state(now: number): MinuteState {
    return this.#read(
      now,
      (rows, reported) => toMinuteState(reported, rows.count()),
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
        const known = toMinuteState(reported, rows.count());
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
    return unreportedLimit(this.#deps.requestsPerMinute);
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
    const { wallNow, random } = this.#deps;
    for (const settlement of settled)
      reported = settle(rows, reported, settlement, { now, wallNow: wallNow() }, random);
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

  /** Admits requests in the order of all windows: those that wait in other windows and go first get their slots first. */
  #admit(rows: KeyRows, reported: ReportedLimit, waiting: readonly Waiter[], now: number) {
    const others = waiting.length === 0 ? [] : rows.others();
    let before = 0;
    const goBefore = (waiter: Waiter): number => {
      for (let other = others[before]; other && isBefore(other, waiter); other = others[before]) before += 1;
      return before;
    };
    const { admissions, stay } = admit(rows, reported, waiting, goBefore, now);
    return {
      admissions,
      known: toMinuteState(reported, rows.count()),
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
    const nextAt = Math.min(now + showEveryMs, earliest(admissions, waiting));
    return nextAt + jitterMs.least + this.#deps.random() * (jitterMs.most - jitterMs.least);
  }
}

/** False for a purpose that another version of the extension wrote. */
const isPurpose = (text: string): text is Purpose => Object.hasOwn(priorityOf, text);
