// The executions by idempotency key, stored for a day.
import { toTimestamp } from '../../base/time.ts';
import type { SqlDatabase, Transaction } from './database.ts';
import { text } from './rows.ts';

/** A call that the caller may repeat. */
export interface RepeatableCall {
  readonly keyId: string;
  readonly key: string;
  readonly bodyHash: string;
}

const keptMs = 24 * 60 * 60 * 1000;
/** How many old keys a new one deletes: deleting many at once would delay the execution that it's for. */
const deletedAtOnce = 1000;

/**
 * Remembers the execution for the key, unless one is remembered already: returns that one, or "conflict" when the key was used for a
 * different request. A transaction that uses the same key at the same time waits for this one.
 */
export async function remember(
  database: SqlDatabase,
  transaction: Transaction,
  call: RepeatableCall,
  executionId: string,
): Promise<string | undefined> {
  const oldest = toTimestamp(database.now() - keptMs);
  transaction.write(
    `DELETE FROM idempotency WHERE (key_id, key) IN
       (SELECT key_id, key FROM idempotency WHERE created_at < ? LIMIT ${deletedAtOnce}
        ${database.lockFreeRows('idempotency')})`,
    oldest,
  );
  for (;;) {
    const changes = await transaction.run(
      `INSERT INTO idempotency (key_id, key, body_hash, execution_id, created_at) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT DO NOTHING`,
      call.keyId,
      call.key,
      call.bodyHash,
      executionId,
      database.timestamp(),
    );
    if (changes > 0) return undefined;
    // Locked, so that retention doesn't delete its execution before that's read.
    const row = await transaction.get(
      `SELECT body_hash, execution_id, created_at FROM idempotency WHERE key_id = ? AND key = ? ${database.lockRows('idempotency')}`,
      call.keyId,
      call.key,
    );
    // Without a row, retention has deleted it since. One that's too old can be left, beside many others.
    if (row && text(row, 'created_at') < oldest)
      await transaction.run('DELETE FROM idempotency WHERE key_id = ? AND key = ?', call.keyId, call.key);
    else if (row) return text(row, 'body_hash') === call.bodyHash ? text(row, 'execution_id') : 'conflict';
  }
}
