// The executions by idempotency key, stored for a day. Callers must be in a transaction.
import { toTimestamp } from '../../../base/time.ts';
import type { NewExecution } from '../store.ts';
import type { SqliteDatabase } from './database.ts';
import { text } from './rows.ts';

type Idempotency = NonNullable<NewExecution['idempotency']>;

const keptMs = 24 * 60 * 60 * 1000;

/** Returns the execution that was triggered with the key; "conflict" when the key was used for a different request. */
export function findRepeated(database: SqliteDatabase, wanted: Idempotency): string | undefined {
  database.run('DELETE FROM idempotency WHERE created_at < ?', toTimestamp(database.now() - keptMs));
  const row = database.get(
    'SELECT body_hash, execution_id FROM idempotency WHERE key_id = ? AND key = ?',
    wanted.keyId,
    wanted.key,
  );
  if (!row) return undefined;
  return text(row, 'body_hash') === wanted.bodyHash ? text(row, 'execution_id') : 'conflict';
}

export function remember(database: SqliteDatabase, idempotency: Idempotency, executionId: string): void {
  database.run(
    'INSERT INTO idempotency (key_id, key, body_hash, execution_id, created_at) VALUES (?, ?, ?, ?, ?)',
    idempotency.keyId,
    idempotency.key,
    idempotency.bodyHash,
    executionId,
    database.timestamp(),
  );
}
