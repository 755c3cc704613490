// Reads node runs and their logs, so that a resumed execution repeats neither; an ExecutionWriter writes them.
import * as v from 'valibot';
import { type JsonValue, stringifyJson } from '../../base/json.ts';
import { logLevels } from '../../domain/nodeLog.ts';
import { nodeStatuses } from '../../domain/status.ts';
import type { NodeLogJson } from '../../protocol/records.ts';
import type { JsonText, WritableObject } from '../jsonText.ts';
import { readExchange } from './exchanges.ts';
import { pageCharacters, type Sql, type SqlDatabase, type SqlRow } from './database.ts';
import { listedValue, readValue, readWithValues, wholeValue } from './payloads.ts';
import {
  durationBetween,
  integer,
  json,
  nullableJson,
  nullableText,
  numberList,
  text,
  where,
  word,
} from './rows.ts';

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
const FailureSchema = v.object({ code: v.string(), message: v.string() });

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

/** Returns the outcome, unless the attempt is open or another follows. `canFollow`: whether one still may, at the time that a failure has set. */
export async function readOutcome(
  sql: Sql,
  attempt: SqlRow,
  canFollow = true,
): Promise<NodeOutcome | undefined> {
  if (attempt['status'] === 'completed') {
    const output = await readValue(sql, text(attempt, 'execution_id'), attempt, 'output');
    return { status: 'completed', output: output ?? 'null' };
  }
  const hasFailed = attempt['status'] === 'failed' && attempt['was_interrupted'] === 0;
  if (!hasFailed || (canFollow && attempt['wake_at'] !== null)) return undefined;
  return { status: 'failed', error: v.parse(WholeFailure, json(attempt, 'error')) };
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

/** A node log row whose values are JSON texts. */
export type StoredNodeLog = Omit<NodeLogJson, 'input' | 'output' | 'request' | 'response'> & {
  readonly input: JsonText;
  readonly output: JsonText;
  readonly request?: WritableObject;
  readonly response?: WritableObject;
};

export interface NodeLogQuery {
  readonly executionId: string;
  /** Returns rows with a greater sequence. */
  readonly after: number;
  readonly nodeId?: string | undefined;
  readonly limit: number;
}

export interface NodeLogPage {
  readonly rows: readonly StoredNodeLog[];
  /** Whether more rows follow; a page ends at the limit, or at about 1 MiB. */
  readonly hasMore: boolean;
  /** The sequence up to which all matching rows are in this page or before it. */
  readonly reached: number;
}

/** The completed iterations of a loop. */
export interface LoopProgress {
  readonly iterations: number;
  /** The total length of their results, in UTF-16 units. */
  readonly size: number;
}

export class NodeRunStore {
  readonly #database: SqlDatabase;

  constructor(database: SqlDatabase) {
    this.#database = database;
  }

  /** Takes the same time for any number of completed iterations. */
  async loopProgress(loop: NodeRunRef): Promise<LoopProgress> {
    const row = await this.#database.get(
      `SELECT turns, results_size FROM node_runs WHERE ${ofNodeRun}`,
      ...keyOf(loop),
    );
    return row
      ? { iterations: integer(row, 'turns'), size: integer(row, 'results_size') }
      : { iterations: 0, size: 0 };
  }

  /** Returns the results of a loop's iterations, in order, as a JSON list. */
  async loopResults(loop: NodeRunRef): Promise<string> {
    const results = await this.#readResults(loop);
    return `[${results.join(',')}]`;
  }

  /** Those of iterations that finished in a retried execution are there. */
  async #readResults(loop: NodeRunRef): Promise<readonly (string | null)[]> {
    const row = await this.#database.get(
      `SELECT turns_from, turns_taken FROM node_runs WHERE ${ofNodeRun}`,
      ...keyOf(loop),
    );
    const source = row ? nullableText(row, 'turns_from') : null;
    const taken = row && source !== null ? await this.#readResults({ ...loop, executionId: source }) : [];
    const results = row ? taken.slice(0, integer(row, 'turns_taken')) : [];
    const rows = await this.#database.all(
      `SELECT result FROM loop_turns WHERE ${ofNodeRun} ORDER BY turn`,
      ...keyOf(loop),
    );
    for (const own of rows) results.push(await readValue(this.#database, loop.executionId, own, 'result'));
    return results;
  }

  /** Ascending by sequence; values over 256 KiB are truncated, and not loaded as a whole. */
  listLogs(query: NodeLogQuery): Promise<NodeLogPage> {
    return readWithValues(() => this.#listLogs(query));
  }

  async #listLogs({ executionId, after, nodeId, limit }: NodeLogQuery): Promise<NodeLogPage> {
    // Rows that don't match are skipped as well; those that come after this read may match.
    const newest = nodeId === undefined ? after : await this.lastSequence(executionId);
    const { sql, values } = where([
      ['execution_id = ?', executionId],
      // A caller's number can be larger than any sequence, and than the column holds.
      ['sequence > CAST(? AS BIGINT)', after],
      ['node_id = ?', nodeId],
    ]);
    const found = await this.#database.page(
      `SELECT * FROM node_logs ${sql} ORDER BY sequence LIMIT ?`,
      limit,
      ...values,
    );
    const rows: StoredNodeLog[] = [];
    let size = 0;
    for (const row of found.rows) {
      const values = await readValues(row, async (from, column) => {
        const value = await listedValue(this.#database, executionId, from, column);
        size += value.text.length;
        return value;
      });
      if (rows.length > 0 && size > pageCharacters) break;
      rows.push(toNodeLog(row, values));
    }
    const hasMore = found.hasMore || rows.length < found.rows.length;
    const last = rows.at(-1)?.sequence ?? after;
    return { rows, hasMore, reached: hasMore ? last : Math.max(last, newest) };
  }

  /** Returns one row with its full values. */
  getLog(executionId: string, logId: string): Promise<StoredNodeLog | undefined> {
    return readWithValues(async () => {
      const row = await this.#database.get(
        'SELECT * FROM node_logs WHERE execution_id = ? AND id = ?',
        executionId,
        logId,
      );
      if (!row) return undefined;
      const values = await readValues(row, (from, column) =>
        wholeValue(this.#database, executionId, from, column),
      );
      return toNodeLog(row, values);
    });
  }

  /** Returns 0 when there are no rows. */
  async lastSequence(executionId: string): Promise<number> {
    const row = await this.#database.get(
      'SELECT coalesce(max(sequence), 0) AS sequence FROM node_logs WHERE execution_id = ?',
      executionId,
    );
    return row ? integer(row, 'sequence') : 0;
  }
}

type Values = Pick<StoredNodeLog, 'input' | 'output' | 'request' | 'response' | 'answered'>;

async function readValues(
  row: SqlRow,
  read: (row: SqlRow, column: string) => Promise<JsonText>,
): Promise<Values> {
  return {
    input: await read(row, 'input'),
    output: await read(row, 'output'),
    ...(await readExchange(row, read)),
  };
}

function toNodeLog(row: SqlRow, values: Values): StoredNodeLog {
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
    ...values,
    error: v.parse(v.nullable(FailureSchema), nullableJson(row, 'error')),
    ...(row['reused_from'] !== null && { reusedFrom: text(row, 'reused_from') }),
    ...(row['pinned'] === 1 && { pinned: true as const }),
    timestamp: text(row, 'timestamp'),
    startedAt,
    completedAt,
    durationMs: completedAt ? durationBetween(startedAt, completedAt) : null,
  };
}
