// Reads the columns of a row, with a check of their types.
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../base/json.ts';
import type { SqlRow, Sql, SqlValue } from './database.ts';

export function text(row: SqlRow, column: string): string {
  const value = row[column];
  if (typeof value !== 'string') throw new TypeError(`The column ${column} holds no text.`);
  return value;
}

export function nullableText(row: SqlRow, column: string): string | null {
  return row[column] === null ? null : text(row, column);
}

export function integer(row: SqlRow, column: string): number {
  const value = row[column];
  if (typeof value !== 'number') throw new TypeError(`The column ${column} holds no number.`);
  return value;
}

export function nullableInteger(row: SqlRow, column: string): number | null {
  return row[column] === null ? null : integer(row, column);
}

export function json(row: SqlRow, column: string): JsonValue {
  const value = parseJson(text(row, column));
  if (value === undefined) throw new TypeError(`The column ${column} holds no JSON.`);
  return value;
}

export function nullableJson(row: SqlRow, column: string): JsonValue {
  return row[column] === null ? null : json(row, column);
}

export function jsonObject(row: SqlRow, column: string): JsonObject {
  const value = json(row, column);
  if (!isJsonObject(value)) throw new TypeError(`The column ${column} holds no JSON object.`);
  return value;
}

export function numberList(row: SqlRow, column: string): number[] {
  const value = json(row, column);
  if (!Array.isArray(value)) throw new TypeError(`The column ${column} holds no list.`);
  return value.filter((item) => typeof item === 'number');
}

/** Returns the text as one of the known words. */
export function word<T extends string>(row: SqlRow, column: string, words: readonly T[]): T {
  const value = text(row, column);
  const found = words.find((known) => known === value);
  if (found === undefined) throw new TypeError(`The column ${column} holds an unknown word.`);
  return found;
}

/** A condition with one placeholder; omitted when its value is undefined. */
export type Condition = readonly [sql: string, value: SqlValue | undefined];

/** Returns the WHERE clause for the conditions, with its values. */
export function where(conditions: readonly Condition[]): { sql: string; values: SqlValue[] } {
  const parts: string[] = [];
  const values: SqlValue[] = [];
  for (const [sql, value] of conditions) {
    if (value === undefined) continue;
    parts.push(sql);
    values.push(value);
  }
  return { sql: parts.length === 0 ? '' : `WHERE ${parts.join(' AND ')}`, values };
}

/** The bounds of a page; `before` is the position at which the previous page ended. */
export interface PageQuery {
  readonly limit: number;
  readonly before?: number | undefined;
}

/** A page of a list; nextPosition is null on the last one. */
export interface StorePage<T> {
  readonly items: readonly T[];
  readonly nextPosition: number | null;
}

/** Returns a page of a table, newest first, by key instead of OFFSET. */
export async function readPage<T>(
  sql: Sql,
  select: string,
  conditions: readonly Condition[],
  page: PageQuery,
  toRecord: (row: SqlRow) => T,
): Promise<StorePage<T>> {
  const filter = where([...conditions, ['position < ?', page.before]]);
  const { rows, hasMore } = await sql.page(
    `${select} ${filter.sql} ORDER BY position DESC LIMIT ?`,
    page.limit,
    ...filter.values,
  );
  const last = rows.at(-1);
  return { items: rows.map(toRecord), nextPosition: hasMore && last ? integer(last, 'position') : null };
}

/** The maximum number of rows that a statement inserts: each number has a statement of its own, which is kept prepared. */
export const rowsAtOnce = 4;

/** Repeats a row of an INSERT. */
export function repeatedly(row: string, count: number): string {
  return Array.from({ length: count }, () => row).join(', ');
}

/** How many rows a statement names by their ids: each number has a statement of its own, which is kept prepared. */
const mostIdsAtOnce = 32;
const idsAtOnce = [1, 2, 4, 8, mostIdsAtOnce];

/** Lists of ids that a statement of `idsAtOnce` names; the last one is filled up with its last id. */
export function inBatches(ids: readonly string[]): readonly (readonly string[])[] {
  const batches: string[][] = [];
  for (let first = 0; first < ids.length; first += mostIdsAtOnce) {
    const some = ids.slice(first, first + mostIdsAtOnce);
    const size = idsAtOnce.find((each) => each >= some.length) ?? some.length;
    batches.push(Array.from({ length: size }, (_id, index) => some[index] ?? some.at(-1) ?? ''));
  }
  return batches;
}

/** The condition for a row whose id is one of a batch. */
export function isOneOf(ids: readonly string[]): string {
  return `id IN (${repeatedly('?', ids.length)})`;
}

/** Milliseconds from one ISO timestamp to the other; 0 where the clock was set back meanwhile. */
export function durationBetween(startedAt: string, completedAt: string): number {
  return Math.max(0, Date.parse(completedAt) - Date.parse(startedAt));
}
