// Writes and reads node log rows (contract section 2).
import * as v from 'valibot';
import { createId } from '../../ids.ts';
import type { JsonText } from '../../jsonText.ts';
import type { NodeFailure, NodeLogPage, NodeLogQuery, NodeTurn, StoredNodeLog } from '../nodeRuns.ts';
import { pageCharacters, type Row, type Sql, type SqlDatabase, type Transaction } from './database.ts';
import { FailureSchema } from './nodeRunRows.ts';
import { cutValue, wholeValue } from './payloads.ts';
import { integer, nullableJson, nullableText, numberList, text, where, word } from './rows.ts';
import { type LogLevel, logLevels } from '../../../domain/nodeLog.ts';
import { type NodeStatus, nodeStatuses } from '../../../domain/status.ts';

export interface NodeLogLine {
  readonly level: LogLevel;
  readonly message: string;
  readonly status: NodeStatus;
  /** In the stored form of keepValue. */
  readonly input?: string;
  /** In the stored form of keepValue. */
  readonly output?: string | null;
  readonly error?: NodeFailure | null;
  readonly hasEnded?: boolean;
}

/** Adds a row with the next sequence of the execution, which must be locked. */
export function insertNodeLog(
  database: SqlDatabase,
  transaction: Transaction,
  turn: NodeTurn,
  run: { readonly attempt: number; readonly startedAt: string },
  line: NodeLogLine,
): void {
  const now = database.timestamp();
  transaction.write(
    `INSERT INTO node_logs (execution_id, sequence, id, node_id, node_name, node_type, iteration, attempt,
       level, message, status, input, output, error, timestamp, started_at, completed_at)
     VALUES (?, (SELECT coalesce(max(sequence), 0) + 1 FROM node_logs WHERE execution_id = ?),
       ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    turn.executionId,
    turn.executionId,
    createId('log'),
    turn.nodeId,
    turn.nodeName,
    turn.nodeType,
    JSON.stringify(turn.iteration),
    run.attempt,
    line.level,
    line.message,
    line.status,
    line.input ?? null,
    line.output ?? null,
    line.error ? JSON.stringify({ code: line.error.code, message: line.error.message }) : null,
    now,
    run.startedAt,
    line.hasEnded === true ? now : null,
  );
}

/** Returns a page of an execution's log; doesn't load the full text of large values. */
export async function readNodeLogs(
  database: Sql,
  { executionId, after, nodeId, limit }: NodeLogQuery,
): Promise<NodeLogPage> {
  const { sql, values } = where([
    ['execution_id = ?', executionId],
    ['sequence > ?', after],
    ['node_id = ?', nodeId],
  ]);
  const found = await database.page(
    `SELECT * FROM node_logs ${sql} ORDER BY sequence LIMIT ?`,
    limit,
    ...values,
  );
  const rows: StoredNodeLog[] = [];
  let size = 0;
  for (const row of found.rows) {
    const input = await cutValue(database, executionId, row, 'input');
    const output = await cutValue(database, executionId, row, 'output');
    size += input.text.length + output.text.length;
    if (rows.length > 0 && size > pageCharacters) break;
    rows.push(toNodeLog(row, input, output));
  }
  return { rows, hasMore: found.hasMore || rows.length < found.rows.length };
}

/** Returns one row with its full values. */
export async function readNodeLog(
  database: Sql,
  executionId: string,
  logId: string,
): Promise<StoredNodeLog | undefined> {
  const row = await database.get(
    'SELECT * FROM node_logs WHERE execution_id = ? AND id = ?',
    executionId,
    logId,
  );
  if (!row) return undefined;
  return toNodeLog(
    row,
    await wholeValue(database, executionId, row, 'input'),
    await wholeValue(database, executionId, row, 'output'),
  );
}

function toNodeLog(row: Row, input: JsonText, output: JsonText): StoredNodeLog {
  const startedAt = text(row, 'started_at');
  const completedAt = nullableText(row, 'completed_at');
  return {
    id: text(row, 'id'),
    sequence: integer(row, 'sequence'),
    executionId: text(row, 'execution_id'),
    nodeId: text(row, 'node_id'),
    nodeName: text(row, 'node_name'),
    nodeType: text(row, 'node_type'),
    iteration: numberList(row, 'iteration'),
    attempt: integer(row, 'attempt'),
    level: word(row, 'level', logLevels),
    message: text(row, 'message'),
    status: word(row, 'status', nodeStatuses),
    input,
    output,
    error: v.parse(v.nullable(FailureSchema), nullableJson(row, 'error')),
    timestamp: text(row, 'timestamp'),
    startedAt,
    completedAt,
    durationMs: completedAt ? Date.parse(completedAt) - Date.parse(startedAt) : null,
  };
}
