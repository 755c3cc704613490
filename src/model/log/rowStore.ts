import { Breaks } from '../../base/slices.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import {
  type Columns,
  type Database,
  loadSqlite,
  type SqlInput,
  sqliteCode,
  type Statement,
} from '../../base/sqlite.ts';
import { getOrInsert } from '../../base/getOrInsert.ts';
import { foldText } from '../../domain/findText.ts';
import type { LogLines } from '../../domain/logEntry.ts';

const pageBytes = 4096;
/** How much of the file SQLite keeps in memory. */
const cacheBytes = 4 * 1024 * 1024;
/** What is kept where there can be no file. */
const maximumBytesInMemory = 16 * 1024 * 1024;
/** How many rows are deleted at once where there's no room for new ones. */
const droppedRows = 5000;
/** How often room is made for the same rows. */
const maximumDrops = 4;
/** How many rows of a log that isn't used any more are deleted without a break. */
const deletedTogether = 500;
const full = 13;

/** `place`: orders the rows of a log, see LogTable; `position`: the index in that order. `flags`: see rowFlags. */
const tables = `
  CREATE TABLE rows (
    id INTEGER PRIMARY KEY,
    log INTEGER NOT NULL,
    position INTEGER NOT NULL,
    place REAL NOT NULL,
    key TEXT NOT NULL,
    run INTEGER,
    node TEXT NOT NULL,
    level INTEGER NOT NULL,
    flags INTEGER NOT NULL,
    line TEXT NOT NULL,
    json TEXT NOT NULL
  ) STRICT;
  CREATE INDEX rows_by_position ON rows (log, position);
  CREATE UNIQUE INDEX rows_by_key ON rows (log, key);
  CREATE INDEX rows_by_run ON rows (run, position) WHERE run IS NOT NULL;
`;

export interface RowStoreOptions {
  readonly logger: Logger;
  readonly lines: LogLines;
  readonly keyPrefix: () => string;
  /** In bytes: the largest file. Beyond it, the oldest rows are deleted. Default: 1 GiB. */
  readonly maximumBytes?: number;
}

/**
 * The rows of the logs of one window, in one SQLite database. It's a temporary one of SQLite's own: a file in the system's temporary folder
 * that has no name there, or that the system deletes with the process, however that ends. Small logs stay in SQLite's cache. Nothing must be
 * kept, since the service has it all: where the file can't grow, the oldest rows go, and where it fails, rows are kept in memory, fewer of them.
 */
export class RowStore implements Disposable {
  readonly #options: RowStoreOptions;
  #database: Database | undefined;
  readonly #statements = new Map<string, Statement>();
  #isInMemory = false;
  #logs = 0;
  #rows = 0;
  #runs = 0;

  constructor(options: RowStoreOptions) {
    this.#options = options;
  }

  get lines(): LogLines {
    return this.#options.lines;
  }

  get keyPrefix(): string {
    return this.#options.keyPrefix();
  }

  nextLogId(): number {
    return (this.#logs += 1);
  }

  nextRowId(): number {
    return (this.#rows += 1);
  }

  nextRunId(): number {
    return (this.#runs += 1);
  }

  get(sql: string, ...values: SqlInput[]): Columns | undefined {
    return this.#prepare(sql).get(...values);
  }

  all(sql: string, ...values: SqlInput[]): readonly Columns[] {
    return this.#prepare(sql).all(...values);
  }

  run(sql: string, ...values: SqlInput[]): void {
    this.#prepare(sql).run(...values);
  }

  /** Does all of the work or nothing of it; more than once if there must be room for it. Gives up rather than throw an error of SQLite. */
  write(work: () => void): void {
    for (let drops = 0; ; drops += 1) {
      try {
        this.#transaction(work);
        return;
      } catch (error) {
        if (sqliteCode(error) === -1) throw error;
        if (sqliteCode(error) === full && drops < maximumDrops && this.#dropOldest()) continue;
        if (this.#isInMemory) return;
        this.#moveToMemory(error);
      }
    }
  }

  /** Deletes the rows of a log little by little. */
  async delete(log: number): Promise<void> {
    const breaks = new Breaks(1);
    const sql = `DELETE FROM rows WHERE id IN (SELECT id FROM rows WHERE log = ? LIMIT ${deletedTogether})`;
    while (
      this.#database !== undefined &&
      this.get('SELECT 1 FROM rows WHERE log = ? LIMIT 1', log) !== undefined
    ) {
      this.write(() => this.run(sql, log));
      await breaks.take(1);
    }
  }

  dispose(): void {
    this.#statements.clear();
    this.#database?.close();
    this.#database = undefined;
  }

  #prepare(sql: string): Statement {
    return getOrInsert(this.#statements, sql, () => (this.#database ??= this.#open('')).prepare(sql));
  }

  /** `path`: '' for a temporary file. */
  #open(path: '' | ':memory:'): Database {
    const loaded = loadSqlite();
    if (loaded === undefined) throw new Error('This version of VS Code has no SQLite.');
    const database = new loaded.DatabaseSync(path);
    const bytes = path === '' ? (this.#options.maximumBytes ?? 1024 ** 3) : maximumBytesInMemory;
    database.exec(`
      PRAGMA journal_mode = MEMORY;
      PRAGMA synchronous = OFF;
      PRAGMA page_size = ${pageBytes};
      PRAGMA cache_size = -${cacheBytes / 1024};
      PRAGMA max_page_count = ${Math.ceil(bytes / pageBytes)};
    `);
    database.exec(tables);
    database.function('contains', { deterministic: true }, (text, wanted) =>
      foldText(String(text)).includes(String(wanted)) ? 1 : 0,
    );
    return database;
  }

  #transaction(work: () => void): void {
    this.#prepare('BEGIN').run();
    try {
      work();
      this.#prepare('COMMIT').run();
    } catch (error) {
      if (this.#database?.isTransaction === true) this.#prepare('ROLLBACK').run();
      throw error;
    }
  }

  /** Returns false if no row is left. */
  #dropOldest(): boolean {
    try {
      const sql = `DELETE FROM rows WHERE id IN (SELECT id FROM rows ORDER BY id LIMIT ${droppedRows})`;
      this.#transaction(() => this.run(sql));
      return Number(this.get('SELECT changes() AS count')?.['count']) > 0;
    } catch {
      return false;
    }
  }

  /** Goes on with an empty database in memory. */
  #moveToMemory(error: unknown): void {
    this.#options.logger.error(
      'Log lines can no longer be kept in a temporary file. Only the latest ones are kept, in memory.',
      error,
    );
    this.dispose();
    this.#isInMemory = true;
    this.#database = this.#open(':memory:');
  }
}
