// The rows of a node run: its attempts, and the results of a loop's turns, which are in the loop's output after its end.
import * as v from 'valibot';
import type { LoopProgress, NodeOutcome, NodeTurn } from '../nodeRuns.ts';
import type { Row, SqliteDatabase } from './database.ts';
import { keepValue, readValue } from './payloads.ts';
import { integer, json, numberList, text } from './rows.ts';

export const FailureSchema = v.object({ code: v.string(), message: v.string() });

/** Selects the rows of a node run by `keyOf`. */
export const ofNodeRun = 'execution_id = ? AND node_id = ? AND iteration = ?';

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

/** Returns the attempts, oldest first. */
export function readAttempts(database: SqliteDatabase, turn: NodeTurn): Row[] {
  return database.all(`SELECT * FROM node_runs WHERE ${ofNodeRun} ORDER BY attempt`, ...keyOf(turn));
}

export function toOpenRun(row: Row): OpenRun | undefined {
  const status = row['status'];
  if (status !== 'running' && status !== 'waiting') return undefined;
  return { attempt: integer(row, 'attempt'), startedAt: text(row, 'started_at'), status };
}

/** Returns the final outcome; undefined when an attempt is open or can follow. */
export function readEnd(
  database: SqliteDatabase,
  last: Row,
  failures: number,
  maximumAttempts: number,
): NodeOutcome | undefined {
  if (last['status'] === 'completed') {
    const output = readValue(database, text(last, 'execution_id'), last, 'output');
    return { status: 'completed', output: output ?? 'null' };
  }
  const isFinal = last['wake_at'] === null || failures >= maximumAttempts;
  if (last['status'] === 'failed' && last['was_interrupted'] === 0 && isFinal)
    return { status: 'failed', error: v.parse(FailureSchema, json(last, 'error')) };
  return undefined;
}

/** Returns the node of a row; its name and type are only in the node log. */
export function readTurn(database: SqliteDatabase, row: Row): NodeTurn {
  const executionId = text(row, 'execution_id');
  const nodeId = text(row, 'node_id');
  const log = database.get(
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

/** Stores a turn's result and counts it, within the current transaction. */
export function keepLoopResult(
  database: SqliteDatabase,
  loop: NodeTurn,
  index: number,
  result: string,
): void {
  database.run(
    `INSERT INTO loop_turns (execution_id, node_id, iteration, turn, result) VALUES (?, ?, ?, ?, ?)`,
    ...keyOf(loop),
    index,
    keepValue(database, loop.executionId, result),
  );
  database.run(
    `UPDATE node_runs SET turns = ?, results_size = results_size + ? WHERE ${ofNodeRun}`,
    index + 1,
    result.length,
    ...keyOf(loop),
  );
}

export function readLoopProgress(database: SqliteDatabase, loop: NodeTurn): LoopProgress {
  const row = database.get(`SELECT turns, results_size FROM node_runs WHERE ${ofNodeRun}`, ...keyOf(loop));
  return row ? { turns: integer(row, 'turns'), size: integer(row, 'results_size') } : { turns: 0, size: 0 };
}

/** Returns the results in order as a JSON list. */
export function readLoopResults(database: SqliteDatabase, loop: NodeTurn): string {
  const rows = database.all(`SELECT result FROM loop_turns WHERE ${ofNodeRun} ORDER BY turn`, ...keyOf(loop));
  const results = rows.map((row) => readValue(database, loop.executionId, row, 'result'));
  return `[${results.join(',')}]`;
}

/** Deletes the rows within the current transaction; payloads of large results stay for the node logs that show them. */
export function forgetLoopResults(database: SqliteDatabase, loop: NodeTurn): void {
  database.run(`DELETE FROM loop_turns WHERE ${ofNodeRun}`, ...keyOf(loop));
}
