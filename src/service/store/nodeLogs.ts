// Writes node log rows (contract section 2).
import { stringifyJson } from '../../base/json.ts';
import type { LogLevel } from '../../domain/nodeLog.ts';
import type { NodeStatus } from '../../domain/status.ts';
import { createId } from '../ids.ts';
import type { Sql, SqlValue, Statement } from './database.ts';
import type { NodeFailure, OpenNodeRun } from './nodeRuns.ts';
import { integer, repeatedly, rowsAtOnce } from './rows.ts';

export interface NodeLogLine {
  readonly level: LogLevel;
  readonly message: string;
  readonly status: NodeStatus;
  /** In the stored form of keepValue. */
  readonly input?: string;
  /** In the stored form of keepValue. */
  readonly output?: string | null;
  readonly error?: NodeFailure | null;
  /** In the stored form of keepExchange. */
  readonly exchange?: string | undefined;
  readonly hasEnded?: boolean;
  /** Of a node run that was reused instead of run. */
  readonly reuse?: ReuseOrigin | undefined;
}

/** The source of a reused outcome: the execution that ran the node, or a pin. */
export type ReuseOrigin = { readonly reusedFrom: string } | 'pinned';

export interface NewNodeLog {
  readonly run: Omit<OpenNodeRun, 'status'>;
  readonly line: NodeLogLine;
  /** An ISO timestamp. */
  readonly timestamp: string;
}

/** What an execution has used of its limits. */
export interface ExecutionUse {
  /** Of all its loops, from when their lists were created. */
  readonly iterations: number;
  /** The UTF-8 bytes of its log rows, and of its large values, each of which is stored once. */
  readonly bytes: number;
}

/** The last row of a log; each row keeps what the execution has used up to it. */
export interface LogEnd {
  /** 0 when there's no row. */
  readonly sequence: number;
  readonly use: ExecutionUse;
}

export const emptyLog: LogEnd = { sequence: 0, use: { iterations: 0, bytes: 0 } };

export async function readLogEnd(sql: Sql, executionId: string): Promise<LogEnd> {
  const row = await sql.get(
    `SELECT sequence, used_iterations, used_bytes FROM node_logs WHERE execution_id = ?
     ORDER BY sequence DESC LIMIT 1`,
    executionId,
  );
  if (!row) return emptyLog;
  return {
    sequence: integer(row, 'sequence'),
    use: { iterations: integer(row, 'used_iterations'), bytes: integer(row, 'used_bytes') },
  };
}

/** SQL for each number of rows. */
const insertionsOfRows = Array.from(
  { length: rowsAtOnce },
  (_sql, index) =>
    `INSERT INTO node_logs (execution_id, sequence, id, node_id, node_name, node_type, iteration, attempt,
       level, message, status, input, output, error, timestamp, started_at, completed_at, exchange, reused_from, pinned, used_iterations, used_bytes)
     VALUES ${repeatedly('(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)', index + 1)}`,
);

/** Returns statements that add rows of an execution, which must be locked, after the end of its log, and the new one. */
export function insertionsOf(
  rows: readonly NewNodeLog[],
  end: LogEnd,
): { readonly insertions: readonly Statement[]; readonly end: LogEnd } {
  const { iterations } = end.use;
  const insertions: Statement[] = [];
  let { sequence } = end;
  let { bytes } = end.use;
  for (let first = 0; first < rows.length; first += rowsAtOnce) {
    const some = rows.slice(first, first + rowsAtOnce);
    const values = some.flatMap((row) => {
      const own = valuesOf(row, (sequence += 1));
      for (const value of own) if (typeof value === 'string') bytes += Buffer.byteLength(value);
      return [...own, iterations, bytes];
    });
    insertions.push({ sql: insertionsOfRows[some.length - 1] ?? '', values });
  }
  return { insertions, end: { sequence, use: { iterations, bytes } } };
}

function valuesOf({ run, line, timestamp }: NewNodeLog, sequence: number): SqlValue[] {
  return [
    run.executionId,
    sequence,
    createId('log'),
    run.nodeId,
    run.nodeName,
    run.nodeType,
    stringifyJson(run.iteration),
    run.attempt,
    line.level,
    line.message,
    line.status,
    line.input ?? null,
    line.output ?? null,
    line.error ? stringifyJson({ code: line.error.code, message: line.error.message }) : null,
    timestamp,
    run.startedAt,
    line.hasEnded === true ? timestamp : null,
    line.exchange ?? null,
    line.reuse === undefined || line.reuse === 'pinned' ? null : line.reuse.reusedFrom,
    Number(line.reuse === 'pinned'),
  ];
}
