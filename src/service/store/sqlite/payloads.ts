// Large values are kept once for each execution, however many rows of its log show them.
import { JsonText, writeJson } from '../../jsonText.ts';
import type { Row, SqliteDatabase } from './database.ts';
import { integer, nullableText, text } from './rows.ts';
import { hashOf } from '../../ids.ts';

/** Longer values, in characters, lie in the table of payloads; columns name them by this mark, which no JSON begins with. */
const inlineCharacters = 1024;
const mark = '@';
/** A value over 256 KiB is cut where a log is listed (contract section 1). */
const cutBytes = 256 * 1024;
const previewCharacters = 1000;

/** What a column holds for the JSON text; writes within the transaction under way. */
export function keepValue(database: SqliteDatabase, executionId: string, value: string): string {
  if (value.length <= inlineCharacters) return value;
  const hash = hashOf(value);
  database.run(
    'INSERT OR IGNORE INTO payloads (execution_id, hash, bytes, value) VALUES (?, ?, ?, ?)',
    executionId,
    hash,
    Buffer.byteLength(value),
    value,
  );
  return mark + hash;
}

/** The whole JSON text that a column stands for; null for a column that is NULL. */
export function readValue(
  database: SqliteDatabase,
  executionId: string,
  row: Row,
  column: string,
): string | null {
  const kept = nullableText(row, column);
  if (!kept?.startsWith(mark)) return kept;
  const found = database.get(
    'SELECT value FROM payloads WHERE execution_id = ? AND hash = ?',
    executionId,
    kept.slice(mark.length),
  );
  if (!found) throw new Error(`The value of the column ${column} is missing.`);
  return text(found, 'value');
}

/** The same as it is sent; NULL becomes null. */
export function wholeValue(
  database: SqliteDatabase,
  executionId: string,
  row: Row,
  column: string,
): JsonText {
  return new JsonText(readValue(database, executionId, row, column) ?? 'null');
}

/** The value, or what is told in its place when it is large: `{"$cut": {bytes, preview}}`. */
export function cutValue(database: SqliteDatabase, executionId: string, row: Row, column: string): JsonText {
  const kept = nullableText(row, column);
  if (kept === null) return new JsonText('null');
  if (!kept.startsWith(mark)) return cut(kept, Buffer.byteLength(kept));
  const found = database.get(
    `SELECT bytes, iif(bytes > ${cutBytes}, substr(value, 1, ${previewCharacters}), value) AS value
     FROM payloads WHERE execution_id = ? AND hash = ?`,
    executionId,
    kept.slice(mark.length),
  );
  if (!found) throw new Error(`The value of the column ${column} is missing.`);
  return cut(text(found, 'value'), integer(found, 'bytes'));
}

function cut(value: string, bytes: number): JsonText {
  if (bytes <= cutBytes) return new JsonText(value);
  const preview = value.slice(0, previewCharacters);
  return new JsonText(writeJson({ $cut: { bytes, preview } }));
}
