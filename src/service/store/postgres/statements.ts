// Prepared statements, and transactions whose writes are sent without waiting for each other.
import type postgres from 'postgres';
import {
  PageOfRows,
  type SqlRow,
  type RowPage,
  type Sql,
  type SqlValue,
  type Transaction,
} from '../database.ts';
import { addsRows } from '../storageHealth.ts';
import type { Topic } from '../topics.ts';

/** How many rows of a page are read at a time: a page of long texts ends after a few. */
const rowsAtATime = 64;

/** Runs statements on a pool, or on one connection of it. */
export class Statements implements Sql {
  readonly #connection: postgres.Sql;
  readonly #numbering: Numbering;

  constructor(connection: postgres.Sql, numbering: Numbering) {
    this.#connection = connection;
    this.#numbering = numbering;
  }

  async get(sql: string, ...values: SqlValue[]): Promise<SqlRow | undefined> {
    return (await this.all(sql, ...values))[0];
  }

  all(sql: string, ...values: SqlValue[]): Promise<readonly SqlRow[]> {
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

export class PostgresTransaction extends Statements implements Transaction {
  readonly #topics: Set<Topic>;
  readonly #written: Promise<unknown>[] = [];
  #failure: unknown;
  #hasNewRows = false;

  constructor(connection: postgres.Sql, numbering: Numbering, topics: Set<Topic>) {
    super(connection, numbering);
    this.#topics = topics;
  }

  /** Why the first write failed, if one did: all later ones fail too, with an error that doesn't give the reason. */
  get failure(): unknown {
    return this.#failure;
  }

  /** Whether it stores new rows. */
  get hasNewRows(): boolean {
    return this.#hasNewRows;
  }

  override send(...parameters: Parameters<Statements['send']>): ReturnType<Statements['send']> {
    if (addsRows(parameters[0])) this.#hasNewRows = true;
    return super.send(...parameters);
  }

  write(sql: string, ...values: SqlValue[]): void {
    const sent = this.send(sql, values).execute();
    sent.catch((error: unknown) => {
      this.#failure ??= error;
    });
    this.#written.push(sent);
  }

  /** Divides by zero without a row, because only an error makes PostgreSQL roll back by itself. */
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

  /** Returns false when the connection can't be used any more. */
  async rollBack(): Promise<boolean> {
    return this.send('ROLLBACK', []).then(
      () => true,
      () => false,
    );
  }
}

/** Replaces each "?" by "$1", "$2" and so on; the SQL of the store has no other "?", and few texts. */
export class Numbering {
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
