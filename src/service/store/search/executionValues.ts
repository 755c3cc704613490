// The values of an execution that are searched (contract section 9), as they are stored: masked, and each long one once.
import { stringifyJson } from '../../../base/json.ts';
import type { FoundPlace, SearchedPart } from '../../../domain/search.ts';
import type { Sql, SqlRow } from '../database.ts';
import { readMessages } from '../exchanges.ts';
import { integer, nullableText, numberList, text } from '../rows.ts';

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

/** Returns the values in the order in which they're shown, from the record with this sequence on. */
export async function* readRecords(sql: Sql, execution: SqlRow, from = 0): AsyncGenerator<StoredRecord> {
  if (from === 0) yield { sequence: 0, values: ownValues(execution) };
  let next = from;
  for (;;) {
    const { rows, hasMore } = await sql.page(
      `SELECT sequence, node_id, iteration, message, input, output, exchange FROM node_logs
       WHERE execution_id = ? AND sequence >= ? ORDER BY sequence LIMIT ?`,
      rowsAtOnce,
      text(execution, 'id'),
      next,
    );
    for (const row of rows) {
      const sequence = integer(row, 'sequence');
      yield { sequence, values: valuesOfRow(row) };
      next = sequence + 1;
    }
    if (!hasMore) return;
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
