// The values of an execution that are searched (contract section 9), as they are stored: masked, and each long one once.
import { stringifyJson } from '../../../base/json.ts';
import type { FoundPlace, SearchedPart } from '../../../domain/search.ts';
import type { RowPage, Sql, SqlRow } from '../database.ts';
import { readMessages } from '../exchanges.ts';
import { inBatches, integer, nullableText, numberList, repeatedly, text } from '../rows.ts';

/** The columns of an execution that `readRecords` needs. */
export const valueColumns = 'input, output, error';

/** A value in its stored form, as JSON or a reference to it. */
export interface StoredValue {
  readonly place: Omit<FoundPlace, 'path' | 'excerpt'>;
  /** The member of a node run; empty for a part of the execution itself. */
  readonly member: string;
  readonly stored: string;
}

/** The values that are read at once: those of the execution itself, or those of a row of its log. */
export interface StoredRecord {
  /** Of the row; 0 for the execution itself. */
  readonly sequence: number;
  readonly values: readonly StoredValue[];
}

/** How many rows of a log are read at a time. */
const rowsAtOnce = 100;
/** The same, of several logs. */
const rowsOfAll = 1000;
const logColumns = 'execution_id, sequence, node_id, iteration, message, input, output, exchange';

/** The beginnings of the logs of some executions, by their ids. */
export type LogStarts = ReadonlyMap<string, RowPage>;

/** Reads the beginnings of as many logs as fit in one page, in one statement for each 32. */
export async function readLogStarts(sql: Sql, executions: readonly SqlRow[]): Promise<LogStarts> {
  const starts = new Map<string, RowPage>();
  for (const ids of inBatches(executions.map((row) => text(row, 'id')))) {
    const { rows, hasMore } = await sql.page(
      `SELECT ${logColumns} FROM node_logs WHERE execution_id IN (${repeatedly('?', ids.length)}) ORDER BY execution_id, sequence LIMIT ?`,
      rowsOfAll,
      ...ids,
    );
    const last = rows.at(-1)?.['execution_id'];
    for (const [id, some] of Map.groupBy(rows, (row) => text(row, 'execution_id')))
      starts.set(id, { rows: some, hasMore: hasMore && id === last });
    if (!hasMore) for (const id of ids) if (!starts.has(id)) starts.set(id, { rows: [], hasMore: false });
  }
  return starts;
}

/** Returns the values in the order in which they're shown, from the record with this sequence on. */
export async function* readRecords(
  sql: Sql,
  execution: SqlRow,
  starts: LogStarts,
  from = 0,
): AsyncGenerator<StoredRecord> {
  if (from === 0) yield { sequence: 0, values: ownValues(execution) };
  const id = text(execution, 'id');
  let page = from === 0 ? starts.get(id) : undefined;
  for (let next = from; ;) {
    page ??= await sql.page(
      `SELECT ${logColumns} FROM node_logs WHERE execution_id = ? AND sequence >= ? ORDER BY sequence LIMIT ?`,
      rowsAtOnce,
      id,
      next,
    );
    for (const row of page.rows) {
      const sequence = integer(row, 'sequence');
      yield { sequence, values: valuesOfRow(row) };
      next = sequence + 1;
    }
    if (!page.hasMore) return;
    page = undefined;
  }
}

function ownValues(execution: SqlRow): readonly StoredValue[] {
  return (['input', 'output', 'error'] as const satisfies readonly SearchedPart[]).flatMap((column) => {
    const stored = nullableText(execution, column);
    return stored === null ? [] : [{ place: { place: column }, member: '', stored }];
  });
}

function valuesOfRow(row: SqlRow): readonly StoredValue[] {
  const iteration = numberList(row, 'iteration');
  const place = {
    place: 'nodeRun',
    nodeId: text(row, 'node_id'),
    ...(iteration.length > 0 && { iteration }),
  } as const;
  const of = (member: string, stored: string | null): readonly StoredValue[] =>
    stored === null ? [] : [{ place, member, stored }];
  return [
    ...of('message', stringifyJson(text(row, 'message'))),
    ...of('input', nullableText(row, 'input')),
    ...of('output', nullableText(row, 'output')),
    ...readMessages(row).flatMap(([name, { head, body }]) => [
      ...of(name, stringifyJson(head)),
      ...of(`${name}.body`, body),
    ]),
  ];
}
