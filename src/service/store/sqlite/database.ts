// Wraps node:sqlite: pragmas, cached statements, and transactions that announce changes only after the commit.
import { DatabaseSync, type SQLInputValue, type SQLOutputValue, type StatementSync } from 'node:sqlite';
import type { Disposable } from '../../../base/disposable.ts';
import { Emitter } from '../../../base/event.ts';
import { type Now, toTimestamp } from '../../../base/time.ts';
import { type StorageProblem, storageProblemOf } from '../storageError.ts';
import type { Topic } from '../store.ts';
import { migrate } from './schema.ts';

export type Row = Record<string, SQLOutputValue>;
export interface RowPage {
  readonly rows: readonly Row[];
  readonly hasMore: boolean;
}

/** The maximum total length of a page's values, in UTF-16 units (contract section 1). */
export const pageCharacters = 1024 * 1024;

/** A connection. All calls are synchronous; several processes can share the file. */
export class SqliteDatabase {
  readonly now: Now;
  readonly #announced = new Emitter<Topic>();
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  readonly #topics = new Set<Topic>();
  #writeProblem: StorageProblem | undefined;

  /** `path` is a file, or ":memory:"; `maximumPages` limits the size of the file, to simulate a full disk. */
  constructor(path: string, now: Now, maximumPages?: number) {
    this.now = now;
    this.#database = new DatabaseSync(path);
    try {
      this.#database.exec('PRAGMA busy_timeout = 5000');
      // Takes effect only in a new, empty file: free pages can then be returned in small steps.
      this.#database.exec('PRAGMA auto_vacuum = INCREMENTAL');
      this.#database.exec('PRAGMA journal_mode = WAL');
      this.#database.exec('PRAGMA synchronous = NORMAL');
      this.#database.exec('PRAGMA foreign_keys = ON');
      migrate(this.#database);
      if (maximumPages !== undefined) this.#database.exec(`PRAGMA max_page_count = ${maximumPages}`);
    } catch (error) {
      this.#database.close();
      throw error;
    }
  }

  /** The storage problem of the last failed write; undefined after a successful one. */
  get writeProblem(): StorageProblem | undefined {
    return this.#writeProblem;
  }

  /** The current time as an ISO timestamp. */
  timestamp(): string {
    return toTimestamp(this.now());
  }

  run(sql: string, ...values: SQLInputValue[]): number {
    return this.#write(() => Number(this.#prepare(sql).run(...values).changes));
  }

  /** Runs a statement outside any transaction. */
  execute(sql: string): void {
    this.#write(() => this.#database.exec(sql));
  }

  get(sql: string, ...values: SQLInputValue[]): Row | undefined {
    return this.#prepare(sql).get(...values);
  }

  all(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.#prepare(sql).all(...values);
  }

  /**
   * Returns rows up to the limit, or until their texts exceed 1 MiB in total, but at least one. The SQL must end with "LIMIT ?"; one
   * more row than the limit is requested to detect whether more follow.
   */
  page(sql: string, limit: number, ...values: SQLInputValue[]): RowPage {
    const rows: Row[] = [];
    let size = 0;
    for (const row of this.#prepare(sql).iterate(...values, limit + 1)) {
      for (const value of Object.values(row)) size += typeof value === 'string' ? value.length : 0;
      if (rows.length === limit || (rows.length > 0 && size > pageCharacters)) return { rows, hasMore: true };
      rows.push(row);
    }
    return { rows, hasMore: false };
  }

  /** Calls the listener when this connection has announced the topic; other processes' changes aren't announced. */
  subscribe(topic: Topic, listener: () => void): Disposable {
    return this.#announced.event((announced) => {
      if (announced === topic) listener();
    });
  }

  /** Announces the topic after the current transaction is committed. */
  announce(topic: Topic): void {
    this.#topics.add(topic);
  }

  /** Commits the work, or rolls it back when it throws. The work must be synchronous. */
  transaction<T>(work: () => T): T {
    this.#topics.clear();
    const result = this.#write(() => this.#commit(work));
    const topics = [...this.#topics];
    this.#topics.clear();
    for (const topic of topics) this.#announced.fire(topic);
    return result;
  }

  close(): void {
    this.#statements.clear();
    this.#database.close();
  }

  #commit<T>(work: () => T): T {
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

  #write<T>(work: () => T): T {
    try {
      const result = work();
      // Nothing is committed within a transaction.
      if (!this.#database.isTransaction) this.#writeProblem = undefined;
      return result;
    } catch (error) {
      this.#writeProblem = storageProblemOf(error) ?? this.#writeProblem;
      throw error;
    }
  }

  #prepare(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known) return known;
    const statement = this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}
