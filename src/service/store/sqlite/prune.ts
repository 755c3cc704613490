// What is kept of an execution, deleted everywhere it is kept; the one place to add a table to.
import type { Pruning } from '../executions.ts';
import type { Row, SqliteDatabase } from './database.ts';
import { integer, nullableText, text } from './rows.ts';

/** The namespace that the engine works in; its keys begin with it. */
const engineNamespace = 'default';
/** All its runs are of this workflow; their idempotency keys are an execution's id, a stroke and a number. */
const workflowName = 'interpreter';
const hasEnded = `status IN ('completed', 'failed', 'cancelled')`;

/** How many log rows one call deletes at most, some 20 ms of work. */
const maximumRows = 5000;

/**
 * Deletes the oldest executions that have ended and need not be kept; answers on how many it worked. One with a long
 * log loses that in several calls, and goes with the last.
 */
export function pruneExecutions(database: SqliteDatabase, pruning: Pruning): number {
  const due = findDue(database, pruning);
  if (due.length === 0) return 0;
  const hasEngine = database.get(`SELECT 1 FROM sqlite_master WHERE name = 'workflow_runs'`) !== undefined;
  return database.transaction(() => {
    let left = maximumRows;
    for (const [index, row] of due.entries()) {
      left -= deleteLog(database, text(row, 'id'), left);
      if (left === 0) return index + 1;
      deleteExecution(database, row);
      if (hasEngine) deleteRuns(database, row);
    }
    return due.length;
  });
}

/** Looks at the oldest only, so that it costs the same however many there are. */
function findDue(database: SqliteDatabase, { before, keep, limit }: Pruning): Row[] {
  const oldest = database.all(
    `SELECT id, run_id, definition_hash, completed_at FROM executions WHERE ${hasEnded} ORDER BY position LIMIT ?`,
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

/** Answers how many rows it deleted, the oldest first. */
function deleteLog(database: SqliteDatabase, id: string, limit: number): number {
  return database.run(
    `DELETE FROM node_logs WHERE execution_id = ? AND sequence IN
       (SELECT sequence FROM node_logs WHERE execution_id = ? ORDER BY sequence LIMIT ?)`,
    id,
    id,
    limit,
  );
}

function deleteExecution(database: SqliteDatabase, row: Row): void {
  const id = text(row, 'id');
  for (const table of ['node_runs', 'loop_turns', 'payloads'])
    database.run(`DELETE FROM ${table} WHERE execution_id = ?`, id);
  database.run('DELETE FROM idempotency WHERE execution_id = ?', id);
  database.run('DELETE FROM executions WHERE id = ?', id);
  const hash = nullableText(row, 'definition_hash');
  if (hash === null) return;
  database.run(
    `DELETE FROM definitions WHERE hash = ?
       AND NOT EXISTS (SELECT 1 FROM executions WHERE definition_hash = definitions.hash)`,
    hash,
  );
}

/** The engine's runs of an execution: those whose key names it, and the one it names itself. */
function deleteRuns(database: SqliteDatabase, row: Row): void {
  const id = text(row, 'id');
  const runs = database.all(
    `SELECT id FROM workflow_runs WHERE namespace_id = ? AND id = ?
     UNION SELECT id FROM workflow_runs WHERE namespace_id = ? AND workflow_name = ?
       AND idempotency_key > ? AND idempotency_key < ?`,
    engineNamespace,
    nullableText(row, 'run_id'),
    engineNamespace,
    workflowName,
    ...keyRange(id),
  );
  for (const run of runs)
    for (const [table, column] of [
      ['workflow_signals', 'workflow_run_id'],
      ['step_attempts', 'workflow_run_id'],
      ['workflow_runs', 'id'],
    ] as const)
      database.run(
        `DELETE FROM ${table} WHERE namespace_id = ? AND ${column} = ?`,
        engineNamespace,
        text(run, 'id'),
      );
}

/** Of the keys ID/0, ID/1 and so on: what lies between "ID/" and the next character. */
function keyRange(id: string): [string, string] {
  return [`${id}/`, `${id}0`];
}
