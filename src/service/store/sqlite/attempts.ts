// Reads the attempts of a node run.
import * as v from 'valibot';
import type { NodeOutcome, NodeTurn } from '../nodeRuns.ts';
import type { Row, SqliteDatabase } from './database.ts';
import { readValue } from './payloads.ts';
import { integer, json, numberList, text } from './rows.ts';

const FailureSchema = v.object({ code: v.string(), message: v.string() });

/** An open attempt. */
export interface OpenRun {
  readonly attempt: number;
  /** An ISO timestamp. */
  readonly startedAt: string;
  readonly status: 'running' | 'waiting';
}

/** Returns the attempts, oldest first. */
export function readAttempts(database: SqliteDatabase, turn: NodeTurn): Row[] {
  return database.all(
    'SELECT * FROM node_runs WHERE execution_id = ? AND node_id = ? AND iteration = ? ORDER BY attempt',
    turn.executionId,
    turn.nodeId,
    JSON.stringify(turn.iteration),
  );
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
