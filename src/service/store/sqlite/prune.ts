// What is kept of an execution, deleted everywhere it is kept; the one place to add a table to.
import type { Pruning } from '../executions.ts';
import type { Row, SqliteDatabase } from './database.ts';
import { integer, nullableText, text } from './rows.ts';

/** The namespace that the engine works in; its keys begin with it. */
const engineNamespace = 'default';
const hasEnded = `status IN ('completed', 'failed', 'cancelled')`;

/** Deletes the oldest executions that have ended and need not be kept; answers how many. All of one goes, or nothing. */
export function pruneExecutions(database: SqliteDatabase, pruning: Pruning): number {
  const due = findDue(database, pruning);
  if (due.length === 0) return 0;
  const hasEngine = database.get(`SELECT 1 FROM sqlite_master WHERE name = 'workflow_runs'`) !== undefined;
  database.transaction(() => {
    for (const row of due) deleteExecution(database, row, hasEngine);
    const ids = due.map((row) => text(row, 'id'));
    database.run(
      `DELETE FROM idempotency WHERE execution_id IN (SELECT value FROM json_each(?))`,
      JSON.stringify(ids),
    );
  });
  return due.length;
}

/** Looks at the oldest only, so that it costs the same however many there are. */
function findDue(database: SqliteDatabase, { before, keep, limit }: Pruning): Row[] {
  const oldest = database.all(
    `SELECT id, run_id, completed_at FROM executions WHERE ${hasEnded} ORDER BY position LIMIT ?`,
    limit,
  );
  const surplus = keep === null ? 0 : Math.max(0, countExecutions(database) - keep);
  return oldest.filter(
    (row, index) =>
      index < surplus || (before !== null && (nullableText(row, 'completed_at') ?? '') < before),
  );
}

function countExecutions(database: SqliteDatabase): number {
  const row = database.get('SELECT count(*) AS count FROM executions');
  return row ? integer(row, 'count') : 0;
}

function deleteExecution(database: SqliteDatabase, row: Row, hasEngine: boolean): void {
  const id = text(row, 'id');
  for (const table of ['node_logs', 'node_runs'])
    database.run(`DELETE FROM ${table} WHERE execution_id = ?`, id);
  database.run('DELETE FROM executions WHERE id = ?', id);
  const runId = nullableText(row, 'run_id');
  if (!hasEngine || runId === null) return;
  for (const [table, column] of [
    ['workflow_signals', 'workflow_run_id'],
    ['step_attempts', 'workflow_run_id'],
    ['workflow_runs', 'id'],
  ] as const)
    database.run(`DELETE FROM ${table} WHERE namespace_id = ? AND ${column} = ?`, engineNamespace, runId);
}
