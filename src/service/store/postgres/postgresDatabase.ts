// PostgreSQL for the store: a bounded pool, and transactions that are repeated when others disturb them.
import type postgres from 'postgres';
import type { Disposable } from '../../../base/disposable.ts';
import type { Logger } from '../../../base/logger.ts';
import { type Now, toTimestamp } from '../../../base/time.ts';
import {
  type SqlRow,
  type RowPage,
  type SqlDatabase,
  type SqlValue,
  type Transaction,
  UnmetDemandError,
} from '../database.ts';
import { type Topic, Topics } from '../topics.ts';
import type { StorageProblem } from '../storageError.ts';
import { addsRows, StorageHealth } from '../storageHealth.ts';
import type { DatabaseAddress } from './address.ts';
import { Notifications } from './notifications.ts';
import { isClosed, isDisturbed, isUnmetDemand, postgresProblemOf, toPostgresError } from './postgresError.ts';
import { connectionOptions, openPool, reservableOf } from './pool.ts';
import { Numbering, PostgresTransaction, Statements } from './statements.ts';

export interface PostgresDatabaseOptions {
  readonly address: DatabaseAddress;
  readonly now: Now;
  readonly logger: Logger;
  /** The maximum number of connections. */
  readonly poolSize: number;
}

export interface PoolUse {
  readonly maximum: number;
  readonly inUse: number;
  /** Statements and transactions that wait for a connection. */
  readonly waiting: number;
}

/** How often a transaction that others disturb is tried. */
const maximumAttempts = 3;

export class PostgresDatabase implements SqlDatabase {
  /** Of the transaction's start: an index can be searched by it. */
  readonly clock = 'CAST(extract(epoch FROM now()) * 1000 AS BIGINT)';
  /** Since engines poll every second, the executions of a dead process are taken over within 30 seconds. */
  readonly leaseMs = 28_000;
  readonly now: Now;
  readonly #address: DatabaseAddress;
  readonly #pool: postgres.Sql;
  readonly #topics = new Topics();
  readonly #notifications: Notifications;
  readonly #numbering = new Numbering();
  readonly #statements: Statements;
  readonly #poolSize: number;
  /** The transactions that have started or wait for a connection. */
  readonly #underWay = { statements: 0, transactions: 0 };
  readonly #health = new StorageHealth();

  /** The database must have been migrated. */
  constructor({ address, now, logger, poolSize }: PostgresDatabaseOptions) {
    this.now = now;
    this.#address = address;
    this.#poolSize = poolSize;
    this.#pool = openPool(address, connectionOptions(poolSize));
    this.#statements = new Statements(this.#pool, this.#numbering);
    this.#notifications = new Notifications({ address, topics: this.#topics, pool: this.#pool, logger });
  }

  get problem(): StorageProblem | undefined {
    return this.#health.problem;
  }

  /** Finds out whether the database responds and takes writes. Rejects with a StorageError. */
  async check(): Promise<void> {
    const row = await this.#withStorageErrors('statements', 'read', () =>
      this.#statements.get("SELECT current_setting('transaction_read_only') AS read_only"),
    );
    this.#health.noteResponse(row?.['read_only'] === 'on');
  }

  get poolUse(): PoolUse {
    const { statements, transactions } = this.#underWay;
    const each = reservableOf(this.#poolSize);
    const inUse = Math.min(statements, each) + Math.min(transactions, each);
    return { maximum: this.#poolSize, inUse, waiting: statements + transactions - inUse };
  }

  timestamp(): string {
    return toTimestamp(this.now());
  }

  lockRows(table: string): string {
    return `FOR UPDATE OF ${table}`;
  }

  lockFreeRows(table: string): string {
    return `FOR UPDATE OF ${table} SKIP LOCKED`;
  }

  async tryLock(transaction: Transaction, name: string): Promise<boolean> {
    const row = await transaction.get(
      'SELECT CAST(pg_try_advisory_xact_lock(hashtextextended(?, 0)) AS INTEGER) AS held',
      lockName(name),
    );
    return row?.['held'] === 1;
  }

  get(sql: string, ...values: SqlValue[]): Promise<SqlRow | undefined> {
    return this.#read(() => this.#statements.get(sql, ...values));
  }

  all(sql: string, ...values: SqlValue[]): Promise<readonly SqlRow[]> {
    return this.#read(() => this.#statements.all(sql, ...values));
  }

  poll(sql: string, ...values: SqlValue[]): Promise<readonly SqlRow[]> {
    return this.#withStorageErrors('statements', 'read', () => this.#statements.all(sql, ...values));
  }

  async run(sql: string, ...values: SqlValue[]): Promise<number> {
    const changes = await this.#withStorageErrors('statements', 'write', () =>
      this.#statements.run(sql, ...values),
    );
    if (addsRows(sql)) this.#health.noteNewRows();
    return changes;
  }

  page(sql: string, limit: number, ...values: SqlValue[]): Promise<RowPage> {
    return this.#read(() => this.#statements.page(sql, limit, ...values));
  }

  /** Waits until no other transaction holds the lock of this name. */
  lock(transaction: Transaction, name: string): void {
    transaction.write('SELECT pg_advisory_xact_lock(hashtextextended(?, 0))', lockName(name));
  }

  subscribe(topic: Topic, listener: () => void): Disposable {
    return this.#topics.subscribe(topic, listener);
  }

  announce(topic: Topic): void {
    this.#topics.fire(topic);
    this.#notifications.send([topic]);
  }

  async transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    const topics = new Set<Topic>();
    const result = await this.#withStorageErrors('transactions', 'write', () =>
      this.#commitUndisturbed(work, topics),
    );
    for (const topic of topics) this.#topics.fire(topic);
    this.#notifications.send(topics);
    return result;
  }

  async close(): Promise<void> {
    await this.#notifications.close();
    await this.#pool.end({ timeout: 5 });
  }

  async #commitUndisturbed<T>(
    work: (transaction: Transaction) => Promise<T>,
    topics: Set<Topic>,
  ): Promise<T> {
    for (let attempt = 1; ; attempt += 1)
      try {
        return await this.#commit(work, topics);
      } catch (error) {
        if (attempt === maximumAttempts || !isDisturbed(error)) throw error;
      }
  }

  /** Reserves the connection before BEGIN, as postgres.begin can let another query slip into the transaction of a busy pool. */
  async #commit<T>(work: (transaction: Transaction) => Promise<T>, topics: Set<Topic>): Promise<T> {
    const connection = await this.#pool.reserve();
    const transaction = new PostgresTransaction(connection, this.#numbering, topics);
    let isOpen = true;
    try {
      const result = await work(transaction);
      await transaction.commit();
      if (transaction.hasNewRows) this.#health.noteNewRows();
      return result;
    } catch (error) {
      const reason = transaction.failure ?? error;
      isOpen = !isClosed(reason) && (await transaction.rollBack());
      throw isUnmetDemand(reason) ? new UnmetDemandError() : reason;
    } finally {
      // A lost connection is released by its loss.
      if (isOpen) connection.release();
    }
  }

  async #read<T>(work: () => Promise<T>): Promise<T> {
    const result = await this.#withStorageErrors('statements', 'read', work);
    this.#health.noteRead();
    return result;
  }

  /** Rejects with a StorageError where the database is the reason. */
  async #withStorageErrors<T>(
    kind: 'statements' | 'transactions',
    access: 'read' | 'write',
    work: () => Promise<T>,
  ): Promise<T> {
    this.#underWay[kind] += 1;
    try {
      return await work();
    } catch (error) {
      this.#health.noteFailure(access, postgresProblemOf(error));
      throw toPostgresError(error, this.#address);
    } finally {
      this.#underWay[kind] -= 1;
    }
  }
}

function lockName(name: string): string {
  return `workflow_automation/${name}`;
}
