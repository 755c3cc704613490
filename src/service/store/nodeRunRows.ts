// The rows of a node run: its attempts, and the results of a loop's iterations, which are in the loop's output after its end.
import * as v from 'valibot';
import { type JsonValue, stringifyJson } from '../../base/json.ts';
import type { SqlRow, Sql, SqlValue, Transaction } from './database.ts';
import { readValue } from './payloads.ts';
import { integer, json, numberList, text } from './rows.ts';

/** A node in one iteration of its loops; all its attempts share it. */
export interface NodeRunRef {
  readonly executionId: string;
  readonly nodeId: string;
  readonly nodeName: string;
  readonly nodeType: string;
  /** The iteration of each enclosing loop, outermost first. */
  readonly iteration: readonly number[];
}

export interface NodeFailure {
  readonly code: string;
  readonly message: string;
  /** Of a response with an unexpected status. */
  readonly status?: number | undefined;
  readonly response?: JsonValue | undefined;
}

export type NodeOutcome =
  | { readonly status: 'completed'; /** JSON. */ readonly output: string }
  | { readonly status: 'failed'; readonly error: NodeFailure };

/** An open attempt of a node run. */
export interface OpenNodeRun extends NodeRunRef {
  readonly attempt: number;
  /** An ISO timestamp. */
  readonly startedAt: string;
  readonly status: 'running' | 'waiting';
}

/** In the form of a log row. */
export const FailureSchema = v.object({ code: v.string(), message: v.string() });

const WholeFailure = v.object({
  ...FailureSchema.entries,
  status: v.optional(v.number()),
  response: v.optional(v.custom<JsonValue>((value) => value !== undefined)),
});

/** Selects the rows of a node run by `keyOf`. */
export const ofNodeRun = 'execution_id = ? AND node_id = ? AND iteration = ?';

export function keyOf(ref: NodeRunRef): [executionId: string, nodeId: string, iteration: string] {
  return [ref.executionId, ref.nodeId, stringifyJson(ref.iteration)];
}

/** Returns the attempts of a node run, oldest first. */
export function readAttempts(sql: Sql, ref: NodeRunRef): Promise<readonly SqlRow[]> {
  return sql.all(`SELECT * FROM node_runs WHERE ${ofNodeRun} ORDER BY attempt`, ...keyOf(ref));
}

/** Returns undefined when the attempt has ended. */
export function toOpenRun(ref: NodeRunRef, row: SqlRow): OpenNodeRun | undefined {
  const status = row['status'];
  if (status !== 'running' && status !== 'waiting') return undefined;
  return { ...ref, attempt: integer(row, 'attempt'), startedAt: text(row, 'started_at'), status };
}

/** Returns the final outcome; undefined when an attempt is open or can follow. */
export async function readEnd(
  sql: Sql,
  last: SqlRow,
  failures: number,
  maximumAttempts: number,
): Promise<NodeOutcome | undefined> {
  if (last['status'] === 'completed') {
    const output = await readValue(sql, text(last, 'execution_id'), last, 'output');
    return { status: 'completed', output: output ?? 'null' };
  }
  const isLast = last['status'] === 'failed' && last['was_interrupted'] === 0 && failures >= maximumAttempts;
  return isLast || isFinalFailure(last) ? { status: 'failed', error: readFailure(last) } : undefined;
}

/** Whether the attempt failed and none follows. */
export function isFinalFailure(attempt: SqlRow): boolean {
  return attempt['status'] === 'failed' && attempt['was_interrupted'] === 0 && attempt['wake_at'] === null;
}

export function readFailure(attempt: SqlRow): NodeFailure {
  return v.parse(WholeFailure, json(attempt, 'error'));
}

/** Returns the open attempts of an execution. */
export async function readOpenRuns(sql: Sql, executionId: string): Promise<readonly OpenNodeRun[]> {
  const rows = await sql.all(
    `SELECT * FROM node_runs WHERE execution_id = ? AND status IN ('running', 'waiting')`,
    executionId,
  );
  const open: OpenNodeRun[] = [];
  for (const row of rows) {
    const run = toOpenRun(await readRef(sql, row), row);
    if (run) open.push(run);
  }
  return open;
}

/** Returns the node runs whose last attempt failed and whose next one is to come, with the number of the next one. */
export async function readPausedRuns(
  sql: Sql,
  executionId: string,
): Promise<readonly { readonly ref: NodeRunRef; readonly nextAttempt: number }[]> {
  const rows = await sql.all(
    `SELECT * FROM node_runs WHERE execution_id = ? AND status = 'failed' AND wake_at IS NOT NULL
       AND NOT EXISTS (SELECT 1 FROM node_runs AS later WHERE later.execution_id = node_runs.execution_id
         AND later.node_id = node_runs.node_id AND later.iteration = node_runs.iteration AND later.attempt > node_runs.attempt)`,
    executionId,
  );
  return Promise.all(
    rows.map(async (row) => ({
      ref: await readRef(sql, row),
      nextAttempt: integer(row, 'attempt') + 1,
    })),
  );
}

/** Returns the node of a row; its name and type are only in the node log. */
async function readRef(sql: Sql, row: SqlRow): Promise<NodeRunRef> {
  const executionId = text(row, 'execution_id');
  const nodeId = text(row, 'node_id');
  const log = await sql.get(
    'SELECT node_name, node_type FROM node_logs WHERE execution_id = ? AND node_id = ? LIMIT 1',
    executionId,
    nodeId,
  );
  return {
    executionId,
    nodeId,
    nodeName: log ? text(log, 'node_name') : nodeId,
    nodeType: log ? text(log, 'node_type') : '',
    iteration: numberList(row, 'iteration'),
  };
}

/** Stores an iteration's result, in its stored form and with the length of its text, and counts it; repeated calls do nothing. */
export function keepLoopResult(
  transaction: Transaction,
  loop: NodeRunRef,
  index: number,
  { stored, length }: { readonly stored: string; readonly length: number },
): void {
  transaction.write(
    `INSERT INTO loop_turns (execution_id, node_id, iteration, turn, result) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT DO NOTHING`,
    ...keyOf(loop),
    index,
    stored,
  );
  transaction.write(
    `UPDATE node_runs SET turns = ?, results_size = results_size + ? WHERE ${ofNodeRun} AND turns = ?`,
    index + 1,
    length,
    ...keyOf(loop),
    index,
  );
}

/** Deletes the rows; payloads of large results stay for the node logs that show them. */
export function forgetLoopResults(transaction: Transaction, loop: NodeRunRef): void {
  transaction.write(`DELETE FROM loop_turns WHERE ${ofNodeRun}`, ...keyOf(loop));
}

export function updateAttempt(
  transaction: Transaction,
  run: OpenNodeRun,
  assignments: string,
  ...values: SqlValue[]
): void {
  transaction.write(
    `UPDATE node_runs SET ${assignments} WHERE ${ofNodeRun} AND attempt = ?`,
    ...values,
    ...keyOf(run),
    run.attempt,
  );
}
