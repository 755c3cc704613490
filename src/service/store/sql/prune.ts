// Deletes executions from all tables. A new table with data of executions has to be added here.
import type { Pruning } from '../store.ts';
import type { Row, SqlDatabase, Transaction } from './database.ts';
import { integer, nullableText, text } from './rows.ts';

/** The engine's namespace, the first column of its keys. */
const engineNamespace = 'default';
/** The workflow of all engine runs; their idempotency keys have the form "EXECUTION_ID/NUMBER". */
const workflowName = 'interpreter';
const hasEnded = `status IN ('completed', 'failed', 'cancelled')`;

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
    const hasEngine = due.length > 0 && (await database.hasTable(transaction, 'workflow_runs'));
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

/** Deletes the engine's runs of an execution: those with its idempotency keys and the one in its run_id. */
async function deleteRuns(transaction: Transaction, row: Row): Promise<void> {
  const runs = await transaction.all(
    `WITH RECURSIVE numbers (number) AS
       (SELECT 0 UNION ALL SELECT number + 1 FROM numbers WHERE number < CAST(? AS INTEGER))
     SELECT id FROM workflow_runs WHERE namespace_id = ? AND id = ?
     UNION SELECT id FROM numbers JOIN workflow_runs
       ON idempotency_key = CAST(? AS TEXT) || '/' || CAST(number AS TEXT)
       AND namespace_id = ? AND workflow_name = ?`,
    integer(row, 'handovers'),
    engineNamespace,
    nullableText(row, 'run_id'),
    text(row, 'id'),
    engineNamespace,
    workflowName,
  );
  for (const run of runs)
    for (const [table, column] of [
      ['workflow_signals', 'workflow_run_id'],
      ['step_attempts', 'workflow_run_id'],
      ['workflow_runs', 'id'],
    ] as const)
      await transaction.run(
        `DELETE FROM ${table} WHERE namespace_id = ? AND ${column} = ?`,
        engineNamespace,
        text(run, 'id'),
      );
}
