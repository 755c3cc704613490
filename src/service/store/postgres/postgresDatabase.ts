// PostgreSQL for the store: a bounded pool, prepared statements, and transactions whose writes are sent without waiting for each other.
import type postgres from 'postgres';
import type { Disposable } from '../../../base/disposable.ts';
import type { Logger } from '../../../base/logger.ts';
import { type Now, toTimestamp } from '../../../base/time.ts';
import {
  PageOfRows,
  type Row,
  type RowPage,
  type Sql,
  type SqlDatabase,
  type SqlValue,
  type Transaction,
  UnmetDemandError,
} from '../sql/database.ts';
import { Topics } from '../sql/topics.ts';
import type { StorageProblem } from '../storageError.ts';
import type { Topic } from '../store.ts';
import type { DatabaseAddress } from './address.ts';
import { Notifications } from './notifications.ts';
import { isClosed, isDisturbed, isUnmetDemand, postgresProblemOf, toPostgresError } from './postgresError.ts';
import { connectionOptions, openPool } from './pool.ts';

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
  /** Statements and transactions that no connection is left for. */
  readonly waiting: number;
}

/** How many rows of a page are read at a time: a page of long texts ends after a few. */
const rowsAtATime = 64;
/** How often a transaction is tried that others disturb. */
const maximumAttempts = 3;

export class PostgresDatabase implements SqlDatabase {
  readonly now: Now;
  readonly #address: DatabaseAddress;
  readonly #pool: postgres.Sql;
  readonly #topics = new Topics();
  readonly #notifications: Notifications;
  readonly #numbering = new Numbering();
  readonly #statements: Statements;
  readonly #poolSize: number;
  /** Statements and transactions that have begun or wait for a connection. */
  #underWay = 0;
  #writeProblem: StorageProblem | undefined;

  /** The database must have been migrated. */
  constructor({ address, now, logger, poolSize }: PostgresDatabaseOptions) {
    this.now = now;
    this.#address = address;
    this.#poolSize = poolSize;
    this.#pool = openPool(address, connectionOptions(poolSize));
    this.#statements = new Statements(this.#pool, this.#numbering);
    this.#notifications = new Notifications({ address, topics: this.#topics, pool: this.#pool, logger });
  }

  get writeProblem(): StorageProblem | undefined {
    return this.#writeProblem;
  }

  get poolUse(): PoolUse {
    const inUse = Math.min(this.#underWay, this.#poolSize);
    return { maximum: this.#poolSize, inUse, waiting: this.#underWay - inUse };
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

  hasTable(): Promise<boolean> {
    return Promise.resolve(true);
  }

  async tryLock(transaction: Transaction, name: string): Promise<boolean> {
    const row = await transaction.get(
      'SELECT CAST(pg_try_advisory_xact_lock(hashtextextended(?, 0)) AS INTEGER) AS held',
      lockName(name),
    );
    return row?.['held'] === 1;
  }

  get(sql: string, ...values: SqlValue[]): Promise<Row | undefined> {
    return this.#withStorageErrors(() => this.#statements.get(sql, ...values));
  }

  all(sql: string, ...values: SqlValue[]): Promise<readonly Row[]> {
    return this.#withStorageErrors(() => this.#statements.all(sql, ...values));
  }

  run(sql: string, ...values: SqlValue[]): Promise<number> {
    return this.#withStorageErrors(() => this.#statements.run(sql, ...values));
  }

  page(sql: string, limit: number, ...values: SqlValue[]): Promise<RowPage> {
    return this.#withStorageErrors(() => this.#statements.page(sql, limit, ...values));
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
    const result = await this.#withStorageErrors(() => this.#commitUndisturbed(work, topics));
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
      transaction.write('BEGIN');
      const result = await work(transaction);
      await transaction.commit();
      return result;
    } catch (error) {
      const reason = transaction.failure ?? error;
      isOpen = !isClosed(reason) && (await transaction.rollBack());
      throw isUnmetDemand(reason) ? new UnmetDemandError() : reason;
    } finally {
      // A closed connection has left the pool already.
      if (isOpen) connection.release();
    }
  }

  /** Rejects with a StorageError where the database is the reason. */
  async #withStorageErrors<T>(work: () => Promise<T>): Promise<T> {
    this.#underWay += 1;
    try {
      const result = await work();
      this.#writeProblem = undefined;
      return result;
    } catch (error) {
      this.#writeProblem = postgresProblemOf(error) ?? this.#writeProblem;
      throw toPostgresError(error, this.#address);
    } finally {
      this.#underWay -= 1;
    }
  }
}

function lockName(name: string): string {
  return `workflow_automation/${name}`;
}

/** Runs statements on a pool, or on one connection of it. */
class Statements implements Sql {
  readonly #connection: postgres.Sql;
  readonly #numbering: Numbering;

  constructor(connection: postgres.Sql, numbering: Numbering) {
    this.#connection = connection;
    this.#numbering = numbering;
  }

  async get(sql: string, ...values: SqlValue[]): Promise<Row | undefined> {
    return (await this.all(sql, ...values))[0];
  }

  all(sql: string, ...values: SqlValue[]): Promise<readonly Row[]> {
    return this.send(sql, values);
  }

  async run(sql: string, ...values: SqlValue[]): Promise<number> {
    return (await this.send(sql, values)).count;
  }

  async page(sql: string, limit: number, ...values: SqlValue[]): Promise<RowPage> {
    const page = new PageOfRows(limit);
    const atATime = Math.min(limit + 1, rowsAtATime);
    // A list's plan depends on its values: a time can match every row or none, and a prepared plan would fit only one of them.
    const pending = this.send(sql, [...values, limit + 1], false);
    for await (const rows of pending.cursor(atATime)) if (!rows.every((row) => page.add(row))) break;
    return page;
  }

  send(
    sql: string,
    values: readonly SqlValue[],
    isPrepared = values.length > 0,
  ): postgres.PendingQuery<postgres.Row[]> {
    return this.#connection.unsafe<postgres.Row[]>(this.#numbering.of(sql), values.map(toStorable), {
      prepare: isPrepared,
    });
  }
}

class PostgresTransaction extends Statements implements Transaction {
  readonly #topics: Set<Topic>;
  readonly #written: Promise<unknown>[] = [];
  #failure: unknown;

  constructor(connection: postgres.Sql, numbering: Numbering, topics: Set<Topic>) {
    super(connection, numbering);
    this.#topics = topics;
  }

  /** Why the first write failed, if one did: all that follows fails too, with an error that doesn't say it. */
  get failure(): unknown {
    return this.#failure;
  }

  write(sql: string, ...values: SqlValue[]): void {
    const sent = this.send(sql, values).execute();
    sent.catch((error: unknown) => {
      this.#failure ??= error;
    });
    this.#written.push(sent);
  }

  /** Divides by zero without a row, as only an error makes PostgreSQL roll back by itself. */
  demand(sql: string, ...values: SqlValue[]): void {
    this.write(`SELECT 1 / count(*) FROM (${sql}) AS demanded`, ...values);
  }

  announce(topic: Topic): void {
    this.#topics.add(topic);
  }

  /** Rejects with the reason of the first statement that failed: PostgreSQL then rolls back instead. */
  async commit(): Promise<void> {
    this.write('COMMIT');
    await Promise.all(this.#written);
  }

  /** Returns false when the connection is of no more use. */
  async rollBack(): Promise<boolean> {
    return this.send('ROLLBACK', []).then(
      () => true,
      () => false,
    );
  }
}

/** Replaces each "?" by "$1", "$2" and so on; the SQL of the store has no other "?", and few texts. */
class Numbering {
  readonly #known = new Map<string, string>();

  of(sql: string): string {
    const known = this.#known.get(sql);
    if (known !== undefined) return known;
    let number = 0;
    const numbered = sql.replace(/\?/g, () => `$${(number += 1)}`);
    this.#known.set(sql, numbered);
    return numbered;
  }
}

/** PostgreSQL has no text with the character U+0000. */
function toStorable(value: SqlValue): SqlValue {
  return typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\ufffd') : value;
}
