// The ledger's rows of one key. Each method is part of the caller's transaction; times are uptimes.
import { limits } from '../../../protocol/operations.ts';
import type { ReportedLimit } from '../minute.ts';
import { type CountedRequests, leaving, type SentRequest, type Waiter } from '../slots.ts';
import type { LedgerFile, LedgerRow } from './ledgerFile.ts';

/** Waiting requests that aren't renewed for this long, in milliseconds, are ignored: their window was closed or hangs. */
const aliveMs = 4000;

const number = (row: LedgerRow | undefined, name: string): number => Number(row?.[name] ?? 0);
const noPause: ReportedLimit['pause'] = { until: 0, wallUntil: 0, isQuota: false };

export interface KeyRowsDeps {
  /** Identifies key and origin. */
  readonly name: string;
  /** Identifies this window among those that use the key. */
  readonly window: string;
  readonly now: number;
  /** Epoch milliseconds. */
  readonly wallNow: number;
}

export class KeyRows implements CountedRequests {
  readonly #file: LedgerFile;
  readonly #key: Uint8Array;
  readonly #window: string;
  readonly #now: number;
  readonly #wallNow: number;

  constructor(file: LedgerFile, { name, window, now, wallNow }: KeyRowsDeps) {
    this.#file = file;
    this.#key = file.keyOf(name);
    this.#window = window;
    this.#now = now;
    this.#wallNow = wallNow;
  }

  prune(): void {
    this.#file.run('DELETE FROM requests WHERE key = ? AND expires_at <= ?', this.#key, this.#now);
    this.#file.run('DELETE FROM waiting WHERE key = ? AND alive_until <= ?', this.#key, this.#now);
  }

  reported(): ReportedLimit | undefined {
    const row = this.#file.get('SELECT * FROM told WHERE key = ?', this.#key);
    if (row === undefined) return undefined;
    const until = number(row, 'foreign_until');
    const pause = {
      until: number(row, 'pause_until'),
      wallUntil: number(row, 'pause_at'),
      isQuota: row['is_quota'] === 1,
    };
    return {
      limit: number(row, 'limit'),
      foreign: { count: until > this.#now ? number(row, 'foreign_count') : 0, until },
      pause: pause.until > this.#now && pause.wallUntil > this.#wallNow ? pause : noPause,
    };
  }

  report({ limit, foreign, pause }: ReportedLimit): void {
    this.#file.run(
      'INSERT OR REPLACE INTO told VALUES (?, ?, ?, ?, ?, ?, ?)',
      ...[
        this.#key,
        limit,
        foreign.count,
        foreign.until,
        pause.until,
        pause.wallUntil,
        pause.isQuota ? 1 : 0,
      ],
    );
  }

  count(): number {
    const sql = 'SELECT count(*) AS number FROM requests WHERE key = ? AND expires_at > ?';
    return number(this.#file.get(sql, this.#key, this.#now), 'number');
  }

  expiries(): readonly number[] {
    const sql = 'SELECT expires_at FROM requests WHERE key = ? AND expires_at > ? ORDER BY expires_at';
    return this.#file.all(sql, this.#key, this.#now).map((row) => number(row, 'expires_at'));
  }

  leave({ id, purpose }: Waiter): void {
    this.put(leaving(id, purpose, this.#now));
  }

  /** Returns true when the request was missing. */
  put({ id, purpose, leftAt, settledAt, expiresAt }: SentRequest): boolean {
    const sql = 'INSERT OR IGNORE INTO requests VALUES (?, ?, ?, ?, ?, ?, ?, ?)';
    const at = this.#wallNow - (this.#now - leftAt);
    const values = [id, this.#key, this.#window, purpose, at, leftAt, settledAt, expiresAt];
    return this.#file.run(sql, ...values) > 0;
  }

  /** Counts requests by purpose, separately for this window and the others. */
  purposes(): readonly { readonly purpose: string; readonly isOwn: boolean; readonly count: number }[] {
    const sql = `SELECT purpose, window = ? AS own, count(*) AS number FROM requests
      WHERE key = ? AND expires_at > ? GROUP BY purpose, own`;
    return this.#file.all(sql, this.#window, this.#key, this.#now).map((row) => ({
      purpose: String(row['purpose']),
      isOwn: row['own'] === 1,
      count: number(row, 'number'),
    }));
  }

  end(id: string): number | undefined {
    const row = this.#file.get('SELECT left_at FROM requests WHERE id = ?', id);
    if (row === undefined) return undefined;
    const sql = 'UPDATE requests SET settled_at = ?, expires_at = ? WHERE id = ?';
    this.#file.run(sql, this.#now, this.#now + limits.windowMs, id);
    return number(row, 'left_at');
  }

  remove(id: string): void {
    this.#file.run('DELETE FROM requests WHERE id = ?', id);
  }

  countTogether(id: string, leftAt: number): number {
    const sql = `SELECT count(*) AS number FROM requests WHERE key = ? AND id <> ? AND expires_at > ?
      AND (settled_at IS NULL OR settled_at >= ?)`;
    return number(this.#file.get(sql, this.#key, id, this.#now, leftAt), 'number');
  }

  forgetOldest(count: number): void {
    this.#file.run(
      'DELETE FROM requests WHERE id IN (SELECT id FROM requests WHERE key = ? ORDER BY expires_at LIMIT ?)',
      ...[this.#key, count],
    );
  }

  /** Returns the waiting requests of other windows, the next one first. */
  others(): readonly Pick<Waiter, 'rank' | 'id'>[] {
    const sql = `SELECT turn, id FROM waiting WHERE key = ? AND window <> ? AND alive_until > ?
      ORDER BY turn, id`;
    return this.#file
      .all(sql, this.#key, this.#window, this.#now)
      .map((row) => ({ rank: number(row, 'turn'), id: String(row['id']) }));
  }

  /** Replaces this window's waiting requests. Must be repeated before they expire. */
  wait(waiters: readonly Waiter[]): void {
    this.#file.run('DELETE FROM waiting WHERE key = ? AND window = ?', this.#key, this.#window);
    const sql = 'INSERT INTO waiting VALUES (?, ?, ?, ?, ?)';
    for (const { id, rank } of waiters)
      this.#file.run(sql, id, this.#key, this.#window, rank, this.#now + aliveMs);
  }
}
