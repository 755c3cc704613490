// The SQLite database of the ledger.
import { createHmac, randomBytes } from 'node:crypto';
import { closeSync, mkdirSync, openSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type * as sqlite from 'node:sqlite';
import { loadSqlite, sqliteCode } from '../../../base/sqlite.ts';
import { getOrInsert } from '../../../base/getOrInsert.ts';
import { limits } from '../../../protocol/operations.ts';

export type LedgerRow = Record<string, sqlite.SQLOutputValue>;

/** Version of the tables. A file with another version isn't used. */
const version = 1;
/** How long a statement waits for another window, in milliseconds. Short, because it blocks everything else. */
const longestWaitMs = 5;

/** Times are uptimes in milliseconds, except "at" and "pause_at", which are epoch milliseconds. */
const tables = `
  CREATE TABLE secret (id INTEGER PRIMARY KEY CHECK (id = 1), salt BLOB NOT NULL) STRICT;
  CREATE TABLE told (
    key BLOB PRIMARY KEY,
    "limit" INTEGER NOT NULL,
    foreign_count INTEGER NOT NULL,
    foreign_until REAL NOT NULL,
    pause_until REAL NOT NULL,
    pause_at REAL NOT NULL,
    is_quota INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE requests (
    id TEXT PRIMARY KEY,
    key BLOB NOT NULL,
    window TEXT NOT NULL,
    purpose TEXT NOT NULL,
    at REAL NOT NULL,
    left_at REAL NOT NULL,
    settled_at REAL,
    expires_at REAL NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX requests_by_expiry ON requests (key, expires_at);
  CREATE TABLE waiting (
    id TEXT PRIMARY KEY,
    key BLOB NOT NULL,
    window TEXT NOT NULL,
    turn REAL NOT NULL,
    alive_until REAL NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX waiting_by_key ON waiting (key, turn);
  PRAGMA user_version = ${version};
`;

/** Identifies the file that a path leads to; undefined when there's none. */
export function identify(path: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found && `${found.dev} ${found.ino}`;
}

/** Removes the file and SQLite's additional files. Only the data of the last minute is lost. */
export function removeLedgerFile(path: string): void {
  for (const ending of ['-wal', '-shm', '']) rmSync(`${path}${ending}`, { force: true });
}

/** True when the file isn't a valid database. */
export const isDamaged = (error: unknown): boolean => [11, 26].includes(sqliteCode(error));

/** A connection to the file, which is created when missing. All calls are synchronous. */
export class LedgerFile {
  readonly identity: string | undefined;
  readonly #database: sqlite.DatabaseSync;
  readonly #statements = new Map<string, sqlite.StatementSync>();
  readonly #salt: Uint8Array;

  /** Throws the errors of Node and SQLite, and an Error where this Node has no SQLite. */
  constructor(path: string, now: number, wallNow: number) {
    const loaded = loadSqlite();
    if (loaded === undefined) throw new Error('This version of VS Code has no SQLite.');
    mkdirSync(dirname(path), { recursive: true });
    // Readable by its owner alone. SQLite creates its additional files with the same mode.
    closeSync(openSync(path, 'a', 0o600));
    this.identity = identify(path);
    this.#database = new loaded.DatabaseSync(path, { timeout: longestWaitMs });
    try {
      this.#salt = this.#prepareFile(now, wallNow);
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** Identifies a key in the file by a hash with the file's salt, so that the file doesn't contain the key. */
  keyOf(name: string): Uint8Array {
    return createHmac('sha256', this.#salt).update(name).digest().subarray(0, 16);
  }

  run(sql: string, ...values: sqlite.SQLInputValue[]): number {
    return Number(this.#prepare(sql).run(...values).changes);
  }

  get(sql: string, ...values: sqlite.SQLInputValue[]): LedgerRow | undefined {
    return this.#prepare(sql).get(...values);
  }

  all(sql: string, ...values: sqlite.SQLInputValue[]): LedgerRow[] {
    return this.#prepare(sql).all(...values);
  }

  /** Runs the work atomically and without other writers. */
  transaction<T>(work: () => T): T {
    this.#database.exec('BEGIN IMMEDIATE');
    try {
      const result = work();
      this.#database.exec('COMMIT');
      return result;
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      throw error;
    }
  }

  close(): void {
    this.#statements.clear();
    this.#database.close();
  }

  #prepare(sql: string): sqlite.StatementSync {
    return getOrInsert(this.#statements, sql, () => this.#database.prepare(sql));
  }

  #prepareFile(now: number, wallNow: number): Uint8Array {
    this.#database.exec('PRAGMA journal_mode = WAL');
    // A power failure may damage the file, but it only contains the last minute.
    this.#database.exec('PRAGMA synchronous = OFF');
    this.#database.exec('PRAGMA wal_autocheckpoint = 100');
    return this.transaction(() => {
      const found = Number(this.get('PRAGMA user_version')?.['user_version']);
      if (found === 0) {
        this.#database.exec(tables);
        this.run('INSERT INTO secret (id, salt) VALUES (1, ?)', randomBytes(32));
      } else if (found !== version) throw new Error(`Its version is ${found} and not ${version}.`);
      this.#takeOverFromBefore(now, wallNow);
      const salt = this.get('SELECT salt FROM secret')?.['salt'];
      if (!(salt instanceof Uint8Array)) throw new Error('It has no salt.');
      return salt;
    });
  }

  /** Uptimes restart with the machine, so the wall clock determines the age of earlier requests. The service reports the rest again. */
  #takeOverFromBefore(now: number, wallNow: number): void {
    const { windowMs } = limits;
    const age = 'min(max(? - at, 0), ?)';
    this.run(
      `UPDATE requests SET left_at = ? - ${age}, expires_at = ? - ${age} + ? WHERE left_at > ?`,
      ...[now, wallNow, windowMs, now, wallNow, windowMs, windowMs, now],
    );
    this.run('DELETE FROM requests WHERE expires_at <= ?', now);
    this.run('DELETE FROM told WHERE key NOT IN (SELECT key FROM requests) AND pause_at < ?', wallNow);
    this.run('UPDATE told SET foreign_count = 0 WHERE foreign_until > ?', now + windowMs);
    this.run('DELETE FROM waiting WHERE alive_until < ? OR alive_until > ?', now, now + windowMs);
  }
}
