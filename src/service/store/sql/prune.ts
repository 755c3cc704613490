// Deletes executions from all tables. A new table with data of executions has to be added here.
import type { Pruning } from '../store.ts';
import type { Row, SqlDatabase, Transaction } from './database.ts';
import { deleteRuns, runsTable } from './engineRuns.ts';
import { hasEnded } from './executionRows.ts';
import { integer, nullableText, text } from './rows.ts';

/** The maximum number of node log rows that a call deletes, which takes about 20 ms. */
const maximumRows = 5000;

/**
 * Deletes the oldest ended executions that exceed the limits; returns how many it processed. Deleting an execution with a long log
 * takes several calls. Does nothing while another process deletes.
 */
export function pruneExecutions(database: SqlDatabase, pruning: Pruning): Promise<number> {
  return database.transaction(async (transaction) => {
    if (!(await database.tryLock(transaction, 'retention'))) return 0;
    const due = await findDue(transaction, pruning);
    const hasEngine = due.length > 0 && (await database.hasTable(transaction, runsTable));
    const hashes = new Set<string>();
    let left = maximumRows;
    let processed = 0;
    for (const row of due) {
      processed += 1;
      left -= await deleteLog(transaction, text(row, 'id'), left);
      if (left === 0) break;
      await deleteExecution(transaction, row);
      const hash = nullableText(row, 'definition_hash');
      if (hash !== null) hashes.add(hash);
      if (hasEngine) await deleteRuns(transaction, row);
    }
    await deleteDefinitions(database, transaction, hashes);
    return processed;
  });
}

/** Looks only at the oldest ended executions, up to the limit. */
async function findDue(transaction: Transaction, { before, keep, limit }: Pruning): Promise<readonly Row[]> {
  const surplus = keep === null ? undefined : await newestSurplus(transaction, keep);
  const oldest = await transaction.all(
    `SELECT position, id, run_id, handovers, definition_hash, completed_at FROM executions
     WHERE ${hasEnded} ORDER BY position LIMIT ?`,
    limit,
  );
  return oldest.filter(
    (row) =>
      (surplus !== undefined && integer(row, 'position') <= surplus) ||
      (before !== null && (nullableText(row, 'completed_at') ?? '') < before),
  );
}

/** Returns the position of the newest execution that's one too many. */
async function newestSurplus(transaction: Transaction, keep: number): Promise<number | undefined> {
  const row = await transaction.get(
    'SELECT position FROM executions ORDER BY position DESC LIMIT 1 OFFSET ?',
    keep,
  );
  return row && integer(row, 'position');
}

/** Deletes the oldest rows first and returns how many. */
function deleteLog(transaction: Transaction, id: string, limit: number): Promise<number> {
  return transaction.run(
    `DELETE FROM node_logs WHERE execution_id = ? AND sequence IN
       (SELECT sequence FROM node_logs WHERE execution_id = ? ORDER BY sequence LIMIT ?)`,
    id,
    id,
    limit,
  );
}

async function deleteExecution(transaction: Transaction, row: Row): Promise<void> {
  const id = text(row, 'id');
  for (const table of ['node_runs', 'loop_turns', 'payloads'])
    await transaction.run(`DELETE FROM ${table} WHERE execution_id = ?`, id);
  await transaction.run('DELETE FROM idempotency WHERE execution_id = ?', id);
  await transaction.run('DELETE FROM executions WHERE id = ?', id);
}

/**
 * Deletes those that no execution uses. Last of all, as new executions of a locked definition wait for this transaction. A definition is
 * locked before it's checked: one that a new execution uses by then stays.
 */
async function deleteDefinitions(
  database: SqlDatabase,
  transaction: Transaction,
  hashes: ReadonlySet<string>,
): Promise<void> {
  for (const hash of [...hashes].sort()) {
    await transaction.get(
      `SELECT hash FROM definitions WHERE hash = ? ${database.lockRows('definitions')}`,
      hash,
    );
    await transaction.run(
      `DELETE FROM definitions WHERE hash = ?
         AND NOT EXISTS (SELECT 1 FROM executions WHERE definition_hash = definitions.hash)`,
      hash,
    );
  }
}
