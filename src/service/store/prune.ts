// Deletes executions from all tables. Add each new table with data of executions here.
import type { SqlRow, SqlDatabase, Transaction } from './database.ts';
import type { ExecutionKind } from '../../domain/status.ts';
import { usedExecution } from './executionRecords.ts';
import { isUnfinished } from './executionRows.ts';
import { integer, nullableText, text } from './rows.ts';

export interface Pruning {
  /** Deletes executions that ended before this ISO timestamp; null sets no limit of age. */
  readonly before: string | null;
  /** The same for draft executions. */
  readonly draftsBefore: string | null;
  /** Keeps this number of the newest deployed executions; null sets no limit. */
  readonly keep: number | null;
  /** Keeps this number of the newest draft executions, and of these as many as have this number of bytes together. */
  readonly keepDrafts: { readonly count: number; readonly bytes: number };
  /** The maximum number to delete in one call. */
  readonly limit: number;
}

/** The maximum number of rows of executions that a call deletes, which takes about 20 ms. A large value counts as one for each page. */
const maximumRows = 5000;
const pageBytes = 4096;

/** The rows of an execution that can be many, by their key within it. The log goes first: it refers to the others. */
const longTables = {
  node_logs: 'sequence',
  node_runs: 'node_id, iteration, attempt',
  loop_turns: 'node_id, iteration, turn',
} as const;

/**
 * Deletes the oldest ended executions that exceed the limits; returns how many it processed. Deleting an execution with many rows
 * takes several calls. Does nothing while another process deletes.
 */
export function pruneExecutions(database: SqlDatabase, pruning: Pruning): Promise<number> {
  return database.transaction(async (transaction) => {
    if (!(await database.tryLock(transaction, 'retention'))) return 0;
    const due = await findDue(database, transaction, pruning);
    const hashes = new Set<string>();
    let left = maximumRows;
    let processed = 0;
    for (const row of due) {
      processed += 1;
      left = await deleteData(transaction, text(row, 'id'), left);
      if (left <= 0) {
        await transaction.run('UPDATE executions SET is_deleting = 1 WHERE id = ?', text(row, 'id'));
        break;
      }
      await deleteExecution(transaction, text(row, 'id'));
      const hash = nullableText(row, 'definition_hash');
      if (hash !== null) hashes.add(hash);
    }
    await deleteDefinitions(database, transaction, hashes);
    return processed;
  });
}

/** The executions whose records an unfinished one uses, or would use through them. */
const needed = `
  WITH RECURSIVE needed (id) AS (
    SELECT ${usedExecution} FROM executions WHERE ${isUnfinished} AND ${usedExecution} IS NOT NULL
    UNION SELECT ${usedExecution} FROM executions JOIN needed ON executions.id = needed.id
      WHERE ${usedExecution} IS NOT NULL)
  SELECT id FROM needed`;

/**
 * Looks only at ended executions that are due and that no other one needs, up to the limit of each kind; locks those that it returns. One whose
 * deletion has begun is due whatever the limits are now.
 */
async function findDue(
  database: SqlDatabase,
  transaction: Transaction,
  pruning: Pruning,
): Promise<readonly SqlRow[]> {
  const { before, draftsBefore, keep, keepDrafts, limit } = pruning;
  const surplus = keep === null ? -1 : await newestSurplus(transaction, 'deployed', keep);
  const surplusDrafts = Math.max(
    await newestSurplus(transaction, 'draft', keepDrafts.count),
    await newestHeavy(transaction, keepDrafts),
  );
  // An execution that began long ago can have ended just now, so the due ones are found by the time of their end. With a condition on the
  // status, SQLite would read all that have ended.
  const select = 'SELECT id, definition_hash FROM executions';
  const find = (kind: ExecutionKind, column: string, bound: string, value: number | string) =>
    transaction.all(
      `${select} WHERE kind = '${kind}' AND ${column} ${bound} ? AND completed_at IS NOT NULL AND id NOT IN (${needed})
       ORDER BY ${column} LIMIT ? ${database.lockFreeRows('executions')}`,
      value,
      limit,
    );
  const findOf = async (kind: ExecutionKind, newest: number, time: string | null) => [
    ...(newest < 0 ? [] : await find(kind, 'position', '<=', newest)),
    ...(time === null ? [] : await find(kind, 'completed_at', '<', time)),
  ];
  const found = [
    ...(await transaction.all(`${select} WHERE is_deleting = 1 ${database.lockFreeRows('executions')}`)),
    ...(await findOf('draft', surplusDrafts, draftsBefore)),
    ...(await findOf('deployed', surplus, before)),
  ];
  const due = [...new Map(found.map((row) => [text(row, 'id'), row])).values()].slice(0, limit);
  if (due.length === 0) return due;
  // An execution that starts to use one locks it first, so now that they are locked, no more can be needed.
  const neededNow = new Set((await transaction.all(needed)).map((row) => text(row, 'id')));
  return due.filter((row) => !neededNow.has(text(row, 'id')));
}

/** Returns the position of the newest execution of its kind that exceeds the number; -1 for none. */
async function newestSurplus(transaction: Transaction, kind: ExecutionKind, keep: number): Promise<number> {
  const row = await transaction.get(
    `SELECT position FROM executions WHERE kind = '${kind}' ORDER BY position DESC LIMIT 1 OFFSET ?`,
    keep,
  );
  return row ? integer(row, 'position') : -1;
}

/** Of its log rows and of the values of its nodes: the last row knows it. */
const bytesOfLog = `coalesce((SELECT used_bytes FROM node_logs WHERE execution_id = executions.id
  ORDER BY sequence DESC LIMIT 1), 0)`;
/** Of its input and its pins, if they're long. */
const bytesOfRequest = `(SELECT coalesce(sum(bytes), 0) FROM payloads WHERE execution_id = executions.id
  AND hash IN (substr(plan, 2), substr(input, 2)))`;

/** Returns the position of the newest draft execution before which there are too many bytes; -1 for none. */
async function newestHeavy(
  transaction: Transaction,
  { count, bytes }: Pruning['keepDrafts'],
): Promise<number> {
  const row = await transaction.get(
    `SELECT coalesce(max(position), -1) AS position FROM (
       SELECT position, sum(bytes) OVER (ORDER BY position DESC) - bytes AS earlier FROM (
         SELECT position, ${bytesOfLog} + ${bytesOfRequest} AS bytes
         FROM executions WHERE kind = 'draft' ORDER BY position DESC LIMIT ?) AS newest) AS summed
     WHERE earlier >= ?`,
    count,
    bytes,
  );
  return row ? integer(row, 'position') : -1;
}

/** Deletes up to this number of rows; returns how many may still be deleted, 0 or less when some can be left. */
async function deleteData(transaction: Transaction, id: string, limit: number): Promise<number> {
  let left = limit;
  for (const [table, key] of Object.entries(longTables)) {
    left -= await transaction.run(
      `DELETE FROM ${table} WHERE execution_id = ? AND (${key}) IN
         (SELECT ${key} FROM ${table} WHERE execution_id = ? ORDER BY ${key} LIMIT ?)`,
      id,
      id,
      left,
    );
    if (left <= 0) return left;
  }
  return left - (await deletePayloads(transaction, id, left));
}

/** Keeps the execution's own input and output, which are read until it's deleted; returns their size. */
async function deletePayloads(transaction: Transaction, id: string, limit: number): Promise<number> {
  const ofNodes = `FROM payloads WHERE execution_id = ? AND NOT EXISTS (SELECT 1 FROM executions
    WHERE executions.id = payloads.execution_id AND '@' || payloads.hash IN (executions.input, executions.output))`;
  const rows = await transaction.all(`SELECT hash, bytes ${ofNodes} ORDER BY hash LIMIT ?`, id, limit);
  let count = 0;
  let last: string | undefined;
  for (const row of rows) {
    if (count >= limit) break;
    count += Math.ceil(integer(row, 'bytes') / pageBytes);
    last = text(row, 'hash');
  }
  if (last !== undefined) await transaction.run(`DELETE ${ofNodes} AND hash <= ?`, id, last);
  return count;
}

async function deleteExecution(transaction: Transaction, id: string): Promise<void> {
  await transaction.run('DELETE FROM payloads WHERE execution_id = ?', id);
  await transaction.run('DELETE FROM idempotency WHERE execution_id = ?', id);
  await transaction.run('DELETE FROM executions WHERE id = ?', id);
}

/**
 * Deletes the definitions that no execution uses. Last of all, because new executions of a locked definition wait for this transaction. A
 * definition is locked before it's checked: one that a new execution uses by then stays.
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
