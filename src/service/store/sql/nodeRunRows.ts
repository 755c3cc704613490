// The rows of a node run: its attempts, and the results of a loop's turns, which are in the loop's output after its end.
import * as v from 'valibot';
import type { LoopProgress, NodeOutcome, NodeTurn } from '../nodeRuns.ts';
import type { Claim } from '../store.ts';
import { checkClaim } from './claims.ts';
import type { Row, Sql, SqlDatabase, SqlValue, Transaction } from './database.ts';
import { keepValue, readValue } from './payloads.ts';
import { integer, json, numberList, text } from './rows.ts';

export const FailureSchema = v.object({ code: v.string(), message: v.string() });

/** Selects the rows of a node run by `keyOf`. */
const ofNodeRun = 'execution_id = ? AND node_id = ? AND iteration = ?';

export function keyOf(turn: NodeTurn): [executionId: string, nodeId: string, iteration: string] {
  return [turn.executionId, turn.nodeId, JSON.stringify(turn.iteration)];
}

/** An open attempt. */
export interface OpenRun {
  readonly attempt: number;
  /** An ISO timestamp. */
  readonly startedAt: string;
  readonly status: 'running' | 'waiting';
}

/** A node run as its execution's transaction sees it. */
export interface LockedNodeRun {
  readonly workflowId: string;
  /** Oldest first. */
  readonly attempts: readonly Row[];
}

/** Locks the execution and reads a node run. Rejects with a LostClaimError. */
export async function lockNodeRun(
  database: SqlDatabase,
  transaction: Transaction,
  turn: NodeTurn,
): Promise<LockedNodeRun> {
  const [executionId, nodeId, iteration] = keyOf(turn);
  const rows = await transaction.all(
    `SELECT executions.workflow_id, executions.claims, node_runs.* FROM executions
     LEFT JOIN node_runs ON node_runs.execution_id = executions.id AND node_id = ? AND iteration = ?
     WHERE executions.id = ? ORDER BY attempt ${database.lockRows('executions')}`,
    nodeId,
    iteration,
    executionId,
  );
  const [first] = rows;
  if (!first) throw new Error(`The execution ${executionId} is missing.`);
  checkClaim(first, turn.claim);
  return {
    workflowId: text(first, 'workflow_id'),
    attempts: rows.filter((row) => row['attempt'] !== null),
  };
}

export function toOpenRun(row: Row): OpenRun | undefined {
  const status = row['status'];
  if (status !== 'running' && status !== 'waiting') return undefined;
  return { attempt: integer(row, 'attempt'), startedAt: text(row, 'started_at'), status };
}

/** Returns the final outcome; undefined when an attempt is open or can follow. */
export async function readEnd(
  sql: Sql,
  last: Row,
  failures: number,
  maximumAttempts: number,
): Promise<NodeOutcome | undefined> {
  if (last['status'] === 'completed') {
    const output = await readValue(sql, text(last, 'execution_id'), last, 'output');
    return { status: 'completed', output: output ?? 'null' };
  }
  const isFinal = last['wake_at'] === null || failures >= maximumAttempts;
  if (last['status'] === 'failed' && last['was_interrupted'] === 0 && isFinal)
    return { status: 'failed', error: v.parse(FailureSchema, json(last, 'error')) };
  return undefined;
}

/** Returns the node of a row; its name and type are only in the node log. */
export async function readTurn(sql: Sql, row: Row, { claim }: Claim): Promise<NodeTurn> {
  const executionId = text(row, 'execution_id');
  const nodeId = text(row, 'node_id');
  const log = await sql.get(
    'SELECT node_name, node_type FROM node_logs WHERE execution_id = ? AND node_id = ? LIMIT 1',
    executionId,
    nodeId,
  );
  return {
    executionId,
    claim,
    nodeId,
    nodeName: log ? text(log, 'node_name') : nodeId,
    nodeType: log ? text(log, 'node_type') : '',
    iteration: numberList(row, 'iteration'),
  };
}

/** Stores a turn's result and counts it. */
export function keepLoopResult(
  transaction: Transaction,
  loop: NodeTurn,
  index: number,
  result: string,
): void {
  transaction.write(
    `INSERT INTO loop_turns (execution_id, node_id, iteration, turn, result) VALUES (?, ?, ?, ?, ?)`,
    ...keyOf(loop),
    index,
    keepValue(transaction, loop.executionId, result),
  );
  transaction.write(
    `UPDATE node_runs SET turns = ?, results_size = results_size + ? WHERE ${ofNodeRun}`,
    index + 1,
    result.length,
    ...keyOf(loop),
  );
}

export async function readLoopProgress(sql: Sql, loop: NodeTurn): Promise<LoopProgress> {
  const row = await sql.get(`SELECT turns, results_size FROM node_runs WHERE ${ofNodeRun}`, ...keyOf(loop));
  return row ? { turns: integer(row, 'turns'), size: integer(row, 'results_size') } : { turns: 0, size: 0 };
}

/** Returns the results in order as a JSON list. */
export async function readLoopResults(sql: Sql, loop: NodeTurn): Promise<string> {
  const rows = await sql.all(
    `SELECT result FROM loop_turns WHERE ${ofNodeRun} ORDER BY turn`,
    ...keyOf(loop),
  );
  const results: (string | null)[] = [];
  for (const row of rows) results.push(await readValue(sql, loop.executionId, row, 'result'));
  return `[${results.join(',')}]`;
}

/** Deletes the rows; payloads of large results stay for the node logs that show them. */
export function forgetLoopResults(transaction: Transaction, loop: NodeTurn): void {
  transaction.write(`DELETE FROM loop_turns WHERE ${ofNodeRun}`, ...keyOf(loop));
}

/** A change of a node run in its execution's transaction. */
export interface Change {
  readonly transaction: Transaction;
  readonly turn: NodeTurn;
  readonly workflowId: string;
}

/** Whether this run has opened the attempt itself: it then repeats a call whose answer was lost. */
export function isOwn({ claim }: NodeTurn, row: Row): boolean {
  return claim !== null && row['claim'] === claim;
}

/** Changes an attempt. */
export function update(
  { transaction, turn }: Change,
  attempt: number,
  assignments: string,
  ...values: SqlValue[]
): void {
  transaction.write(
    `UPDATE node_runs SET ${assignments} WHERE ${ofNodeRun} AND attempt = ?`,
    ...values,
    ...keyOf(turn),
    attempt,
  );
}
