// Prepared statements, and transactions whose writes are sent without waiting for each other, as few statements: each costs both sides a
// message, whatever it does.
import type postgres from 'postgres';
import { getOrInsert } from '../../../base/getOrInsert.ts';
import {
  PageOfRows,
  type SqlRow,
  type RowPage,
  type Sql,
  type SqlValue,
  type Statement,
  type Transaction,
} from '../database.ts';
import { addsRows } from '../storageHealth.ts';
import type { Topic } from '../topics.ts';

/** How many rows of a page are read at a time: a page of long texts ends after a few. */
const rowsAtATime = 64;
/** How many writes become one statement: each combination has a statement of its own, which is kept prepared. */
const mostTogether = 8;

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

  async all(sql: string, ...values: SqlValue[]): Promise<readonly SqlRow[]> {
    return withoutHoles(await this.send(sql, values));
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
  #hasBegun = false;
  /** What is sent before the next statement, or as the only one. */
  #demanded: Statement | undefined;
  #together: readonly Statement[] = [];
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
    this.#begin();
    if (addsRows(parameters[0])) this.#hasNewRows = true;
    return super.send(...parameters);
  }

  write(sql: string, ...values: SqlValue[]): void {
    this.#keep(this.send(sql, values));
  }

  writeTogether(statements: readonly Statement[]): void {
    if (this.#together.length > 0) this.#begin();
    if (statements.length <= mostTogether) this.#together = statements;
    else for (const { sql, values } of statements) this.write(sql, ...values);
  }

  /** The row is locked before any other statement of the transaction. */
  demand(sql: string, ...values: SqlValue[]): void {
    this.#demanded = { sql, values };
  }

  announce(topic: Topic): void {
    this.#topics.add(topic);
  }

  /** Rejects with the reason of the first statement that failed: PostgreSQL then rolls back instead. */
  async commit(): Promise<void> {
    if (this.#hasBegun) this.write('COMMIT');
    // A single statement is a transaction by itself.
    else this.#sendWaiting();
    await Promise.all(this.#written);
  }

  /** Returns false when the connection can't be used any more. */
  async rollBack(): Promise<boolean> {
    if (!this.#hasBegun) return true;
    return super.send('ROLLBACK', []).then(
      () => true,
      () => false,
    );
  }

  /** Makes it a transaction of several statements. */
  #begin(): void {
    if (!this.#hasBegun) this.#write({ sql: 'BEGIN', values: [] });
    this.#hasBegun = true;
    this.#sendWaiting();
  }

  #sendWaiting(): void {
    const demanded = this.#demanded;
    const together = this.#together;
    this.#demanded = undefined;
    this.#together = [];
    if (together.some(({ sql }) => addsRows(sql))) this.#hasNewRows = true;
    const statement = merge(demanded, together);
    if (statement) this.#write(statement);
  }

  #write({ sql, values }: Statement): void {
    this.#keep(super.send(sql, values));
  }

  #keep(query: ReturnType<Statements['send']>): void {
    const sent = query.execute();
    sent.catch((error: unknown) => {
      this.#failure ??= error;
    });
    this.#written.push(sent);
  }
}

/**
 * Returns one statement that does all: PostgreSQL carries out the writes of a WITH clause after its SELECT. That divides by zero without
 * the demanded row, because only an error makes PostgreSQL roll back by itself.
 */
function merge(demanded: Statement | undefined, writes: readonly Statement[]): Statement | undefined {
  const [first] = writes;
  if (!demanded && writes.length < 2) return first;
  const parts = writes.map(({ sql }, index) => `write_${index} AS (${sql})`);
  if (demanded) parts.unshift(`demanded AS (${demanded.sql})`);
  return {
    sql: `WITH ${parts.join(', ')} SELECT ${demanded ? '1 / count(*) FROM demanded' : '1'}`,
    values: [...(demanded?.values ?? []), ...writes.flatMap(({ values }) => values)],
  };
}

/**
 * Returns the rows from the first one on. The postgres package goes on counting where a lost connection ended in the middle of a result, so the
 * first result on the next connection can begin with holes.
 */
function withoutHoles(rows: readonly SqlRow[]): readonly SqlRow[] {
  return rows.length === 0 || 0 in rows ? rows : Object.values(rows);
}

/** Replaces each "?" by "$1", "$2" and so on; the SQL of the store has no other "?", and few texts. */
export class Numbering {
  readonly #known = new Map<string, string>();

  of(sql: string): string {
    let number = 0;
    return getOrInsert(this.#known, sql, () => sql.replace(/\?/g, () => `$${(number += 1)}`));
  }
}

/** PostgreSQL has no text with the character U+0000. */
function toStorable(value: SqlValue): SqlValue {
  return typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\ufffd') : value;
}
