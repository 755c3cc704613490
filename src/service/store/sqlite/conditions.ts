// Lists are filtered by what the caller gave; this builds such a query from parts without ever pasting a value.
import type { SQLInputValue } from 'node:sqlite';
import type { PageQuery, StorePage } from '../store.ts';
import type { Row, SqliteDatabase } from './database.ts';
import { integer } from './rows.ts';

/** A condition with one placeholder; left out when its value is undefined. */
export type Condition = readonly [sql: string, value: SQLInputValue | undefined];

/** The WHERE clause of the given conditions with its values. */
export function where(conditions: readonly Condition[]): { sql: string; values: SQLInputValue[] } {
  const parts: string[] = [];
  const values: SQLInputValue[] = [];
  for (const [sql, value] of conditions) {
    if (value === undefined) continue;
    parts.push(sql);
    values.push(value);
  }
  return { sql: parts.length === 0 ? '' : `WHERE ${parts.join(' AND ')}`, values };
}

/** A page of a table, newest first, found by key and not by counting rows. */
export function readPage<T>(
  database: SqliteDatabase,
  select: string,
  conditions: readonly Condition[],
  page: PageQuery,
  toRecord: (row: Row) => T,
): StorePage<T> {
  const filter = where([...conditions, ['position < ?', page.before]]);
  const { rows, hasMore } = database.page(
    `${select} ${filter.sql} ORDER BY position DESC LIMIT ?`,
    page.limit,
    ...filter.values,
  );
  const last = rows.at(-1);
  return { items: rows.map(toRecord), nextPosition: hasMore && last ? integer(last, 'position') : null };
}
