// Deletes executions from all tables, and returns the free pages to the disk. A new table with data of executions has to be added here.
import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Pruning } from '../store.ts';
import type { Row, SqliteDatabase } from './database.ts';
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
 * takes several calls.
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

/** Looks only at the oldest ended executions, up to the limit. */
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

/** Deletes the oldest rows first and returns how many. */
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

/** Deletes the engine's runs of an execution: those with its idempotency keys and the one in its run_id. */
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

/** Returns the range of the keys ID/0, ID/1 and so on: from "ID/" to "ID0", as "0" is the character after "/". */
function keyRange(id: string): [string, string] {
  return [`${id}/`, `${id}0`];
}

/** The number of free pages to keep for further writes. */
const sparePages = 256;
/** The value of `PRAGMA auto_vacuum` for a file that can return single pages. */
const incremental = 2;
/** Rewriting blocks the service for about a second per 100 MB, so it needs many free pages in a file that isn't too large. */
const rewriting = { leastFreePages: 2000, leastFreeShare: 0.25, mostBytes: 256 * 1024 * 1024 } as const;

/**
 * Returns at most `pages` free pages to the disk; false when there were none to return. A file without incremental vacuum is rewritten once
 * if that's worth it.
 */
export function shrinkFile(database: SqliteDatabase, path: string, pages: number): boolean {
  const free = pragma(database, 'freelist_count');
  if (free <= sparePages) return false;
  if (pragma(database, 'auto_vacuum') === incremental) {
    database.execute(`PRAGMA incremental_vacuum(${Math.min(pages, free - sparePages)})`);
    return true;
  }
  if (!isWorthRewriting(database, path, free)) return false;
  database.execute('PRAGMA auto_vacuum = INCREMENTAL');
  database.execute('VACUUM');
  return true;
}

function isWorthRewriting(database: SqliteDatabase, path: string, free: number): boolean {
  const pages = pragma(database, 'page_count');
  const bytes = pages * pragma(database, 'page_size');
  const isMuch = free >= rewriting.leastFreePages && free >= pages * rewriting.leastFreeShare;
  if (!isMuch || bytes > rewriting.mostBytes || path === ':memory:') return false;
  const disk = statfsSync(dirname(path));
  // VACUUM needs space for a copy and for the write-ahead log, plus a reserve.
  return disk.bavail * disk.bsize > 3 * bytes;
}

function pragma(database: SqliteDatabase, name: string): number {
  return Number(database.get(`PRAGMA ${name}`)?.[name]);
}
