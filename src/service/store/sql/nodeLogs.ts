// Writes and reads node log rows (contract section 2).
import * as v from 'valibot';
import { createId } from '../../ids.ts';
import type { JsonText } from '../../jsonText.ts';
import type { NodeFailure, NodeLogPage, NodeLogQuery, StoredNodeLog } from '../nodeRuns.ts';
import type { ExecutionUse, OpenNodeRun } from '../executionWriter.ts';
import { pageCharacters, type Row, type Sql, type SqlValue, type Transaction } from './database.ts';
import { FailureSchema } from './nodeRunRows.ts';
import { cutValue, wholeValue } from './payloads.ts';
import {
  integer,
  nullableJson,
  nullableText,
  numberList,
  repeatedly,
  rowsAtOnce,
  text,
  where,
  word,
} from './rows.ts';
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

export interface NewNodeLog {
  readonly run: Omit<OpenNodeRun, 'status'>;
  readonly line: NodeLogLine;
  /** An ISO timestamp. */
  readonly timestamp: string;
}

/** The last row of a log; each row keeps what the execution has used up to it. */
export interface LogEnd {
  /** 0 when there's no row. */
  readonly sequence: number;
  readonly use: ExecutionUse;
}

export async function readLogEnd(sql: Sql, executionId: string): Promise<LogEnd> {
  const row = await sql.get(
    `SELECT sequence, used_iterations, used_bytes FROM node_logs WHERE execution_id = ?
     ORDER BY sequence DESC LIMIT 1`,
    executionId,
  );
  if (!row) return { sequence: 0, use: { iterations: 0, bytes: 0 } };
  return {
    sequence: integer(row, 'sequence'),
    use: { iterations: integer(row, 'used_iterations'), bytes: integer(row, 'used_bytes') },
  };
}

/** Adds rows of an execution, which must be locked, after the end of its log; returns the new one. */
export function insertNodeLogs(transaction: Transaction, rows: readonly NewNodeLog[], end: LogEnd): LogEnd {
  const { iterations } = end.use;
  let { sequence } = end;
  let { bytes } = end.use;
  for (let first = 0; first < rows.length; first += rowsAtOnce) {
    const some = rows.slice(first, first + rowsAtOnce);
    transaction.write(
      `INSERT INTO node_logs (execution_id, sequence, id, node_id, node_name, node_type, iteration, attempt,
         level, message, status, input, output, error, timestamp, started_at, completed_at, used_iterations, used_bytes)
       VALUES ${repeatedly('(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)', some.length)}`,
      ...some.flatMap((row) => {
        const values = valuesOf(row, (sequence += 1));
        for (const value of values) if (typeof value === 'string') bytes += Buffer.byteLength(value);
        return [...values, iterations, bytes];
      }),
    );
  }
  return { sequence, use: { iterations, bytes } };
}

function valuesOf({ run, line, timestamp }: NewNodeLog, sequence: number): SqlValue[] {
  return [
    run.executionId,
    sequence,
    createId('log'),
    run.nodeId,
    run.nodeName,
    run.nodeType,
    JSON.stringify(run.iteration),
    run.attempt,
    line.level,
    line.message,
    line.status,
    line.input ?? null,
    line.output ?? null,
    line.error ? JSON.stringify({ code: line.error.code, message: line.error.message }) : null,
    timestamp,
    run.startedAt,
    line.hasEnded === true ? timestamp : null,
  ];
}

/** Returns a page of an execution's log; doesn't load the full text of large values. */
export async function readNodeLogs(
  database: Sql,
  { executionId, after, nodeId, limit }: NodeLogQuery,
): Promise<NodeLogPage> {
  // Rows that don't fit are passed by as well; those that come after this read may fit.
  const newest = nodeId === undefined ? after : await readLastSequence(database, executionId);
  const { sql, values } = where([
    ['execution_id = ?', executionId],
    // A caller's number can be larger than any sequence, and than the column holds.
    ['sequence > CAST(? AS BIGINT)', after],
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
  const hasMore = found.hasMore || rows.length < found.rows.length;
  const last = rows.at(-1)?.sequence ?? after;
  return { rows, hasMore, reached: hasMore ? last : Math.max(last, newest) };
}

/** Returns 0 when there are no rows. */
export async function readLastSequence(database: Sql, executionId: string): Promise<number> {
  const row = await database.get(
    'SELECT coalesce(max(sequence), 0) AS sequence FROM node_logs WHERE execution_id = ?',
    executionId,
  );
  return row ? integer(row, 'sequence') : 0;
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
