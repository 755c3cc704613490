// Why: one row of a node log, written and read back (contract section 2).
import * as v from 'valibot';
import type { JsonValue } from '../../../base/json.ts';
import { logLevels, nodeStatuses } from '../../../protocol/records.ts';
import type { LogLevel, NodeLog, NodeStatus } from '../../../protocol/records.ts';
import { toTimestamp } from '../../clock.ts';
import { createId } from '../../ids.ts';
import type { NodeFailure, NodeTurn } from '../nodeRuns.ts';
import type { Row, SqliteDatabase } from './database.ts';
import { integer, nullableJson, nullableText, numberList, text, word } from './rows.ts';

export interface NodeLogLine {
  readonly level: LogLevel;
  readonly message: string;
  readonly status: NodeStatus;
  readonly input?: JsonValue;
  readonly output?: JsonValue;
  readonly error?: NodeFailure | null;
  readonly hasEnded?: boolean;
}

/** Adds the row with the execution's next sequence, within the transaction under way. */
export function insertNodeLog(
  database: SqliteDatabase,
  turn: NodeTurn,
  run: { readonly attempt: number; readonly startedAt: string },
  line: NodeLogLine,
): void {
  const now = toTimestamp(database.clock());
  database.run(
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
    textOrNull(line.input),
    textOrNull(line.output),
    textOrNull(line.error && { code: line.error.code, message: line.error.message }),
    now,
    run.startedAt,
    line.hasEnded === true ? now : null,
  );
}

export function toNodeLog(row: Row): NodeLog {
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
    input: nullableJson(row, 'input'),
    output: nullableJson(row, 'output'),
    error: v.parse(
      v.nullable(v.object({ code: v.string(), message: v.string() })),
      nullableJson(row, 'error'),
    ),
    timestamp: text(row, 'timestamp'),
    startedAt,
    completedAt,
    durationMs: completedAt ? Date.parse(completedAt) - Date.parse(startedAt) : null,
  };
}

function textOrNull(value: JsonValue | undefined): string | null {
  return value === undefined || value === null ? null : JSON.stringify(value);
}
