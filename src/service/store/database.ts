// What the store needs of a database: SQLite and PostgreSQL both implement it, and run the same SQL with "?" for each value.
import type { Disposable } from '../../base/disposable.ts';
import type { StorageProblem } from './storageError.ts';
import type { Topic } from './topics.ts';

export type SqlValue = string | number | null;
/** A row by column; numbers are JavaScript numbers. */
export type SqlRow = Readonly<Record<string, unknown>>;
export interface RowPage {
  readonly rows: readonly SqlRow[];
  readonly hasMore: boolean;
}

/** The maximum total length of a page's values, in UTF-16 units (contract section 1). */
export const pageCharacters = 1024 * 1024;

/** A statement that writes. */
export interface Statement {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

export interface Sql {
  get(sql: string, ...values: SqlValue[]): Promise<SqlRow | undefined>;
  all(sql: string, ...values: SqlValue[]): Promise<readonly SqlRow[]>;
  /** Returns the number of changed rows. */
  run(sql: string, ...values: SqlValue[]): Promise<number>;
  /**
   * Returns rows up to the limit, or until their texts exceed 1 MiB in total, but at least one. The SQL must end with "LIMIT ?"; one
   * more row than the limit is requested to detect whether more follow.
   */
  page(sql: string, limit: number, ...values: SqlValue[]): Promise<RowPage>;
}

/** A row that a transaction demands isn't there. */
export class UnmetDemandError extends Error {
  override readonly name = 'UnmetDemandError';
}

export interface Transaction extends Sql {
  /** Runs a statement whose result isn't needed, after those before it. A failure fails the transaction, at the latest at its commit. */
  write(sql: string, ...values: SqlValue[]): void;
  /**
   * Runs statements like `write`, if the database can do that as a single one. So none of them may depend on the rows of another, and each
   * row is changed by one of them at most.
   */
  writeTogether(statements: readonly Statement[]): void;
  /** Fails the transaction with an UnmetDemandError, at the latest at its commit, when the SELECT finds no row. */
  demand(sql: string, ...values: SqlValue[]): void;
  /** Announces the topic after the commit. */
  announce(topic: Topic): void;
}

export interface SqlDatabase extends Sql {
  /** Returns the end of a SELECT whose rows of the table no other transaction may change until this one ends. */
  lockRows(table: string): string;
  /** Like lockRows, but leaves out the rows that another transaction has locked. */
  lockFreeRows(table: string): string;
  /** Returns false when another transaction holds the lock of this name; it's released with the transaction. */
  tryLock(transaction: Transaction, name: string): Promise<boolean>;
  /** SQL for the current time by the database's clock, in epoch milliseconds: the clock of leases, which all processes share. */
  readonly clock: string;
  /** How long a process has the executions that it claims, unless it renews its leases, in milliseconds. */
  readonly leaseMs: number;
  /** The current time in epoch milliseconds. */
  readonly now: () => number;
  /** The current time as an ISO timestamp. */
  timestamp(): string;
  /**
   * Commits the work, or rolls it back when it rejects. The work must use only the given transaction, not the database. It's repeated when
   * another transaction has disturbed it.
   */
  transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T>;
  /** Like `all`, for what the service reads again and again: that this can be read doesn't end a problem that requests have met. */
  poll(sql: string, ...values: SqlValue[]): Promise<readonly SqlRow[]>;
  /** Calls the listener after a transaction that announced the topic. */
  subscribe(topic: Topic, listener: () => void): Disposable;
  /** Calls the listeners of a topic, also those in other processes on the database if it can notify them. */
  announce(topic: Topic): void;
  /** The problem that the last reads or writes had; undefined when they succeeded. */
  readonly problem: StorageProblem | undefined;
  close(): Promise<void>;
}

/** Collects the rows of a page. */
export class PageOfRows {
  readonly rows: SqlRow[] = [];
  readonly #limit: number;
  #size = 0;
  #hasMore = false;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get hasMore(): boolean {
    return this.#hasMore;
  }

  /** Returns false when the page is full; the row then belongs to the next one. */
  add(row: SqlRow): boolean {
    for (const value of Object.values(row)) this.#size += typeof value === 'string' ? value.length : 0;
    this.#hasMore = this.rows.length === this.#limit || (this.rows.length > 0 && this.#size > pageCharacters);
    if (!this.#hasMore) this.rows.push(row);
    return !this.#hasMore;
  }
}
