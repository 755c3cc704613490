// Executions that have ended wait here for the index. A step takes the newest ones, so data of a version without an index fills it backwards,
// and is searched without it meanwhile.
import { visitValues } from '../../../base/jsonValues.ts';
import { foldText } from '../../../domain/findText.ts';
import type { Sql, SqlDatabase, SqlRow, Transaction } from '../database.ts';
import { findValue } from '../payloads.ts';
import { integer, repeatedly, text } from '../rows.ts';
import {
  type LogStarts,
  readLogStarts,
  readRecords,
  type StoredRecord,
  valueColumns,
} from './executionValues.ts';
import { PartWriter } from './partWriter.ts';
import type { IndexedPart, SearchIndex } from './searchIndex.ts';

/** What a row of a log counts at least, in units. */
const leastUnits = 64;

export class SearchQueue {
  readonly #database: SqlDatabase;
  readonly #index: SearchIndex;

  constructor(database: SqlDatabase, index: SearchIndex) {
    this.#database = database;
    this.#index = index;
  }

  /** Whether the database has an index. Without one, the queue grows, and a search reads execution after execution. */
  isIndexed(): Promise<boolean> {
    return this.#index.isAvailable(this.#database);
  }

  /** Returns how many executions wait. */
  async count(): Promise<number> {
    const row = await this.#database.get('SELECT count(*) AS waiting FROM search_queue');
    return row ? integer(row, 'waiting') : 0;
  }

  /** Adds some executions to the index. Returns false when none waits, or another process adds them. */
  async step(): Promise<boolean> {
    // Most steps find nothing, and need no transaction.
    const waiting = await this.#database.poll('SELECT position FROM search_queue LIMIT 1');
    if (waiting.length === 0) return false;
    return this.#database.transaction(async (transaction) => {
      if (!(await this.#database.tryLock(transaction, 'search'))) return false;
      if (!(await this.#index.isAvailable(transaction))) return false;
      // One that is deleted meanwhile waits at its row of the queue for this transaction, and then leaves the index.
      const rows = await transaction.all(
        `WITH taken AS MATERIALIZED (SELECT position, sequence, skipped, parts FROM search_queue
           ORDER BY position DESC LIMIT ? ${this.#database.lockFreeRows('search_queue')})
         SELECT taken.position, sequence, skipped, parts, id, ${valueColumns}
         FROM taken JOIN executions ON executions.position = taken.position ORDER BY taken.position DESC`,
        this.#index.step.executions,
      );
      await this.#add(transaction, rows);
      await this.#index.tidy(transaction);
      return rows.length > 0;
    });
  }

  /** Adds as much of the executions as a step may. */
  async #add(transaction: Transaction, rows: readonly SqlRow[]): Promise<void> {
    const starts = await readLogStarts(transaction, rows);
    const parts: IndexedPart[] = [];
    const done: number[] = [];
    let left = this.#index.step.units;
    for (const row of rows) {
      if (left <= 0) break;
      const writer = new PartWriter(integer(row, 'position'), integer(row, 'parts'));
      left = await this.#write(transaction, row, starts, writer, left);
      parts.push(...writer.parts);
      if (left > 0) done.push(integer(row, 'position'));
    }
    this.#index.add(transaction, parts);
    if (done.length > 0)
      transaction.write(
        `DELETE FROM search_queue WHERE position IN (${repeatedly('?', done.length)})`,
        ...done,
      );
  }

  /** Writes what it may of an execution, and how far that is if it's not all; returns how many units are left, 0 or less for none. */
  async #write(
    transaction: Transaction,
    row: SqlRow,
    starts: LogStarts,
    writer: PartWriter,
    units: number,
  ): Promise<number> {
    let skipped = integer(row, 'skipped');
    let left = units;
    for await (const record of readRecords(transaction, row, starts, integer(row, 'sequence'))) {
      const texts = await readTexts(transaction, text(row, 'id'), record);
      const added = writer.add(texts, skipped, left);
      left -= Math.max(leastUnits, added.units);
      skipped = 0;
      if (left > 0) continue;
      writer.flush();
      transaction.write(
        'UPDATE search_queue SET sequence = ?, skipped = ?, parts = ? WHERE position = ?',
        record.sequence + (added.isWhole ? 1 : 0),
        added.isWhole ? 0 : added.parts,
        writer.count,
        integer(row, 'position'),
      );
      return left;
    }
    writer.flush();
    return left;
  }
}

/** Returns the texts and numbers of the values, folded, each once. */
async function readTexts(
  sql: Sql,
  executionId: string,
  { values }: StoredRecord,
): Promise<readonly string[]> {
  const texts = new Set<string>();
  for (const { stored } of values)
    visitValues((await findValue(sql, executionId, stored)) ?? '', (text) => {
      texts.add(foldText(text));
      return false;
    });
  return [...texts];
}
