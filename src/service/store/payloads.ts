// Stores each large value once per execution, even when several rows use it.
import { beginningOf } from '../../base/format.ts';
import { JsonText, writeJson } from '../jsonText.ts';
import type { SqlRow, Sql, Transaction } from './database.ts';
import { integer, nullableText, text } from './rows.ts';
import { hashOf } from '../ids.ts';

/** Longer values, in UTF-16 units, are in the payloads table; a column refers to them with this mark, which JSON never starts with. */
const inlineCharacters = 1024;
const mark = '@';
/** Larger values are truncated in lists of node logs (contract section 1). */
const maximumListedBytes = 256 * 1024;
const previewCharacters = 1000;

const insertion =
  'INSERT INTO payloads (execution_id, hash, bytes, value) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING';

/** Returns the column value for a JSON text; writes a payload when it's long. */
export function keepValue(transaction: Transaction, executionId: string, value: string): string {
  if (value.length <= inlineCharacters) return value;
  const hash = hashOf(value);
  transaction.write(insertion, executionId, hash, Buffer.byteLength(value), value);
  return mark + hash;
}

/** Like keepValue; also returns the bytes of the payload, 0 when there was no need for a new one. */
export async function keepNewValue(
  transaction: Transaction,
  executionId: string,
  value: string,
): Promise<{ readonly stored: string; readonly bytes: number }> {
  if (value.length <= inlineCharacters) return { stored: value, bytes: 0 };
  const hash = hashOf(value);
  const bytes = Buffer.byteLength(value);
  const added = await transaction.run(insertion, executionId, hash, bytes, value);
  return { stored: mark + hash, bytes: added * bytes };
}

/** The value of a row isn't there: it was deleted since the row was read. */
class ValueGoneError extends Error {
  override readonly name = 'ValueGoneError';

  constructor(column: string) {
    super(`The value of the column ${column} is missing.`);
  }
}

/**
 * Reads rows and their values, once more when retention has deleted a value meanwhile: that goes after its row, or together with it, so then
 * the row isn't there any more. Rejects when a value is missing without that.
 */
export async function readWithValues<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof ValueGoneError)) throw error;
    return read();
  }
}

/** Returns the full JSON text of a column; null when the column is NULL. See `readWithValues`. */
export async function readValue(
  sql: Sql,
  executionId: string,
  row: SqlRow,
  column: string,
): Promise<string | null> {
  const kept = nullableText(row, column);
  if (kept === null) return null;
  const value = await findValue(sql, executionId, kept);
  if (value === undefined) throw new ValueGoneError(column);
  return value;
}

/** Returns the full JSON text of a stored form; undefined when it was deleted since that was read. */
export async function findValue(sql: Sql, executionId: string, stored: string): Promise<string | undefined> {
  if (!stored.startsWith(mark)) return stored;
  const found = await sql.get(
    'SELECT value FROM payloads WHERE execution_id = ? AND hash = ?',
    executionId,
    stored.slice(mark.length),
  );
  return found && text(found, 'value');
}

/** Returns the full value for a response; NULL becomes JSON null. */
export async function wholeValue(
  sql: Sql,
  executionId: string,
  row: SqlRow,
  column: string,
): Promise<JsonText> {
  return new JsonText((await readValue(sql, executionId, row, column)) ?? 'null');
}

/** Returns the value as a list has it: `{"$cut": {bytes, preview}}` when it's over 256 KiB. */
export async function listedValue(
  sql: Sql,
  executionId: string,
  row: SqlRow,
  column: string,
): Promise<JsonText> {
  const kept = nullableText(row, column);
  if (kept === null) return new JsonText('null');
  if (!kept.startsWith(mark)) return truncate(kept, Buffer.byteLength(kept));
  const found = await sql.get(
    `SELECT bytes, CASE WHEN bytes > ${maximumListedBytes} THEN substr(value, 1, ${previewCharacters}) ELSE value END AS value
     FROM payloads WHERE execution_id = ? AND hash = ?`,
    executionId,
    kept.slice(mark.length),
  );
  if (!found) throw new ValueGoneError(column);
  return truncate(text(found, 'value'), integer(found, 'bytes'));
}

function truncate(value: string, bytes: number): JsonText {
  if (bytes <= maximumListedBytes) return new JsonText(value);
  const preview = beginningOf(value, previewCharacters);
  return new JsonText(writeJson({ $cut: { bytes, preview } }));
}
