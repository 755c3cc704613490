// SQLite for the store: pragmas, cached statements, and transactions one after another.
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { Disposable } from '../../../base/disposable.ts';
import { createForwardTime, type Now, toTimestamp } from '../../../base/time.ts';
import { getOrInsert } from '../../../base/getOrInsert.ts';
import {
  PageOfRows,
  type SqlRow,
  type RowPage,
  type SqlDatabase,
  type SqlValue,
  type Statement,
  type Transaction,
  UnmetDemandError,
} from '../database.ts';
import { type Topic, Topics } from '../topics.ts';
import { type StorageProblem, storageProblemOf } from '../storageError.ts';
import { addsRows, StorageHealth } from '../storageHealth.ts';
import { readTables } from './damage.ts';
import { SerialQueue } from './serialQueue.ts';
import { migrate } from './schema.ts';

/** How long a statement waits for the lock of another process. */
const defaultBusyTimeoutMs = 5000;
/** Ten thousand years. */
const endlessMs = 10_000 * 365 * 24 * 60 * 60 * 1000;

export interface SqliteOptions {
  /** A file, or ":memory:". */
  readonly path: string;
  readonly now: Now;
  /** The maximum size of the file in pages; for tests of a full disk. */
  readonly maximumPages?: number | undefined;
  /** Refuses writes; for tests of a read-only file. */
  readonly isReadOnly?: boolean | undefined;
  /** How long a statement waits for the lock of another process, in milliseconds; default 5,000. */
  readonly busyTimeoutMs?: number | undefined;
  /** Called when a statement finds that the file is damaged. */
  readonly onDamage?: (() => void) | undefined;
}

/** A connection. Several processes can share the file. */
export class SqliteDatabase implements SqlDatabase {
  /** Setting back the machine's clock would keep what is queued from being claimed for that time. */
  readonly clock = 'forward_time()';
  /** Only one service runs on a folder: leases end at its next start. */
  readonly leaseMs = endlessMs;
  readonly now: Now;
  readonly #announced = new Topics();
  readonly #health: StorageHealth;
  readonly #connection: Connection;
  readonly #queue = new SerialQueue();

  constructor(options: SqliteOptions) {
    const { now, busyTimeoutMs = defaultBusyTimeoutMs } = options;
    this.now = now;
    this.#health = new StorageHealth(options.onDamage);
    this.#connection = new Connection({ ...options, busyTimeoutMs }, this.#health);
  }

  get problem(): StorageProblem | undefined {
    return this.#health.problem;
  }

  timestamp(): string {
    return toTimestamp(this.now());
  }

  /** A transaction locks the whole file. */
  lockRows(): string {
    return '';
  }

  lockFreeRows(): string {
    return '';
  }

  tryLock(): Promise<boolean> {
    return Promise.resolve(true);
  }

  run(sql: string, ...values: SqlValue[]): Promise<number> {
    return this.#queue.runSync(() => this.#connection.run(sql, ...values));
  }

  get(sql: string, ...values: SqlValue[]): Promise<SqlRow | undefined> {
    return this.#queue.runSync(() => this.#connection.get(sql, ...values));
  }

  all(sql: string, ...values: SqlValue[]): Promise<readonly SqlRow[]> {
    return this.#queue.runSync(() => this.#connection.all(sql, ...values));
  }

  poll(sql: string, ...values: SqlValue[]): Promise<readonly SqlRow[]> {
    return this.#queue.runSync(() => this.#connection.poll(sql, ...values));
  }

  page(sql: string, limit: number, ...values: SqlValue[]): Promise<RowPage> {
    return this.#queue.runSync(() => this.#connection.page(sql, limit, ...values));
  }

  /** Runs a statement outside any transaction. */
  execute(sql: string): Promise<void> {
    return this.#queue.runSync(() => this.#connection.execute(sql));
  }

  /** Calls the listener when this connection has announced the topic; other processes' changes aren't announced. */
  subscribe(topic: Topic, listener: () => void): Disposable {
    return this.#announced.subscribe(topic, listener);
  }

  announce(topic: Topic): void {
    this.#announced.fire(topic);
  }

  async transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    const topics = new Set<Topic>();
    const result = await this.#queue.runExclusive(() =>
      this.#connection.transaction(() => work(new SqliteTransaction(this.#connection, topics))),
    );
    for (const topic of topics) this.#announced.fire(topic);
    return result;
  }

  close(): Promise<void> {
    return this.#queue.runSync(() => this.#connection.close());
  }
}

class SqliteTransaction implements Transaction {
  readonly #connection: Connection;
  readonly #topics: Set<Topic>;

  constructor(connection: Connection, topics: Set<Topic>) {
    this.#connection = connection;
    this.#topics = topics;
  }

  get(sql: string, ...values: SqlValue[]): Promise<SqlRow | undefined> {
    return settle(() => this.#connection.get(sql, ...values));
  }

  all(sql: string, ...values: SqlValue[]): Promise<readonly SqlRow[]> {
    return settle(() => this.#connection.all(sql, ...values));
  }

  run(sql: string, ...values: SqlValue[]): Promise<number> {
    return settle(() => this.#connection.run(sql, ...values));
  }

  page(sql: string, limit: number, ...values: SqlValue[]): Promise<RowPage> {
    return settle(() => this.#connection.page(sql, limit, ...values));
  }

  write(sql: string, ...values: SqlValue[]): void {
    this.#connection.run(sql, ...values);
  }

  writeTogether(statements: readonly Statement[]): void {
    for (const { sql, values } of statements) this.write(sql, ...values);
  }

  demand(sql: string, ...values: SqlValue[]): void {
    if (!this.#connection.get(sql, ...values)) throw new UnmetDemandError();
  }

  announce(topic: Topic): void {
    this.#topics.add(topic);
  }
}

function settle<T>(work: () => T): Promise<T> {
  return new Promise((resolve) => {
    resolve(work());
  });
}

/** Runs statements at once, within the open transaction if there is one. */
class Connection {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  readonly #health: StorageHealth;
  /** How many statements of the open transaction have stored new rows. */
  #additions = 0;

  constructor(options: SqliteOptions & { readonly busyTimeoutMs: number }, health: StorageHealth) {
    const { path, now, busyTimeoutMs, maximumPages, isReadOnly = false } = options;
    this.#health = health;
    this.#database = new DatabaseSync(path, { timeout: busyTimeoutMs });
    try {
      // Takes effect only in a new, empty file: free pages can then be returned in small steps.
      this.#database.exec('PRAGMA auto_vacuum = INCREMENTAL');
      this.#database.exec('PRAGMA journal_mode = WAL');
      this.#database.exec('PRAGMA synchronous = NORMAL');
      this.#database.exec('PRAGMA foreign_keys = ON');
      migrate(this.#database);
      readTables(this.#database);
      const time = createForwardTime(now);
      // Within one statement, it's asked once.
      this.#database.function('forward_time', { deterministic: true }, () => Math.floor(time()));
      if (isReadOnly) this.#database.exec('PRAGMA query_only = ON');
      if (maximumPages !== undefined) this.#database.exec(`PRAGMA max_page_count = ${maximumPages}`);
    } catch (error) {
      this.#database.close();
      throw error;
    }
  }

  run(sql: string, ...values: SqlValue[]): number {
    return this.#write(sql, () => Number(this.#prepare(sql).run(...values).changes));
  }

  execute(sql: string): void {
    this.#write(sql, () => this.#database.exec(sql));
  }

  get(sql: string, ...values: SqlValue[]): SqlRow | undefined {
    return this.#read(() => this.#prepare(sql).get(...values));
  }

  all(sql: string, ...values: SqlValue[]): readonly SqlRow[] {
    return this.#read(() => this.#prepare(sql).all(...values));
  }

  poll(sql: string, ...values: SqlValue[]): readonly SqlRow[] {
    return this.#attempt('read', () => this.#prepare(sql).all(...values));
  }

  page(sql: string, limit: number, ...values: SqlValue[]): RowPage {
    const page = new PageOfRows(limit);
    return this.#read(() => {
      for (const row of this.#prepare(sql).iterate(...values, limit + 1)) if (!page.add(row)) break;
      return page;
    });
  }

  async transaction<T>(work: () => Promise<T>): Promise<T> {
    this.#additions = 0;
    try {
      this.#database.exec('BEGIN IMMEDIATE');
      const result = await work();
      this.#database.exec('COMMIT');
      if (this.#additions > 0) this.#health.noteNewRows();
      return result;
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      this.#health.noteFailure('write', storageProblemOf(error));
      throw error;
    }
  }

  close(): void {
    this.#statements.clear();
    this.#database.close();
  }

  #read<T>(work: () => T): T {
    const result = this.#attempt('read', work);
    this.#health.noteRead();
    return result;
  }

  #write<T>(sql: string, work: () => T): T {
    const result = this.#attempt('write', work);
    if (addsRows(sql)) this.#noteNewRows();
    return result;
  }

  #attempt<T>(access: 'read' | 'write', work: () => T): T {
    try {
      return work();
    } catch (error) {
      this.#health.noteFailure(access, storageProblemOf(error));
      throw error;
    }
  }

  /** Nothing is committed within a transaction. */
  #noteNewRows(): void {
    if (this.#database.isTransaction) this.#additions += 1;
    else this.#health.noteNewRows();
  }

  #prepare(sql: string): StatementSync {
    return getOrInsert(this.#statements, sql, () => this.#database.prepare(sql));
  }
}
