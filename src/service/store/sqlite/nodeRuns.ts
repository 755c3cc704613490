// Why: node runs and node logs in SQLite; opening, saying and closing are one transaction each, so a replay finds all or nothing.
import * as v from 'valibot';
import type { JsonValue } from '../../../base/json.ts';
import type { LogLevel, NodeLog } from '../../../protocol/records.ts';
import { toTimestamp } from '../../clock.ts';
import type { NodeLogQuery, NodeOutcome, NodeRunStart, NodeRunStore, NodeTurn } from '../nodeRuns.ts';
import type { Row, SqliteDatabase } from './database.ts';
import { where } from './conditions.ts';
import { insertNodeLog, toNodeLog } from './nodeLogs.ts';
import type { NodeLogLine } from './nodeLogs.ts';
import type { Publish } from './portalEvents.ts';
import { integer, json, text } from './rows.ts';

const FailureSchema = v.object({ code: v.string(), message: v.string() });

/** The attempt under way. */
interface OpenRun {
  readonly attempt: number;
  readonly startedAt: string;
  readonly status: 'running' | 'waiting';
}

export class SqliteNodeRunStore implements NodeRunStore {
  readonly #database: SqliteDatabase;
  readonly #publish: Publish;

  constructor(database: SqliteDatabase, publish: Publish) {
    this.#database = database;
    this.#publish = publish;
  }

  begin(
    turn: NodeTurn,
    options: { readonly input: JsonValue; readonly canResume: boolean; readonly maximumAttempts: number },
  ): Promise<NodeRunStart> {
    return Promise.resolve(
      this.#database.transaction(() => {
        const attempts = this.#attempts(turn);
        const last = attempts.at(-1);
        const failures = attempts.filter(
          (row) => row['status'] === 'failed' && row['was_interrupted'] === 0,
        ).length;
        const ended = last && endOf(last, failures, options.maximumAttempts);
        if (ended) return { kind: 'ended', outcome: ended };
        const open = last && toOpenRun(last);
        if (open && options.canResume) return { kind: 'resumed', attempt: open.attempt, failures };
        if (open) this.#interrupt(turn, open);
        const attempt = (last ? integer(last, 'attempt') : 0) + 1;
        this.#open(turn, attempt, options.input);
        return { kind: 'started', attempt, failures };
      }),
    );
  }

  say(turn: NodeTurn, level: LogLevel, message: string): Promise<void> {
    this.#withOpenRun(turn, (open) => {
      this.#log(turn, open, { level, message, status: open.status });
    });
    return Promise.resolve();
  }

  wait(turn: NodeTurn, message: string): Promise<void> {
    this.#withOpenRun(turn, (open) => {
      if (open.status === 'waiting') return;
      this.#setStatus(turn, open.attempt, 'waiting');
      this.#log(turn, open, { level: 'info', message, status: 'waiting' });
    });
    return Promise.resolve();
  }

  end(turn: NodeTurn, outcome: NodeOutcome): Promise<void> {
    this.#withOpenRun(turn, (open) => {
      this.#close(turn, open, outcome, false);
    });
    return Promise.resolve();
  }

  skip(turn: NodeTurn, reason: string): Promise<void> {
    this.#database.transaction(() => {
      if (this.#attempts(turn).length > 0) return;
      const startedAt = this.#insert(turn, 1, 'skipped');
      const line = {
        level: 'info',
        message: `node skipped: ${reason}`,
        status: 'skipped',
        hasEnded: true,
      } as const;
      this.#log(turn, { attempt: 1, startedAt }, line);
      this.#tell(turn, 1, 'skipped', 'skipped');
    });
    return Promise.resolve();
  }

  listLogs({ executionId, after, nodeId, limit }: NodeLogQuery): Promise<readonly NodeLog[]> {
    const { sql, values } = where([
      ['execution_id = ?', executionId],
      ['sequence > ?', after],
      ['node_id = ?', nodeId],
    ]);
    const rows = this.#database.all(
      `SELECT * FROM node_logs ${sql} ORDER BY sequence LIMIT ?`,
      ...values,
      limit,
    );
    return Promise.resolve(rows.map(toNodeLog));
  }

  lastSequence(executionId: string): Promise<number> {
    const row = this.#database.get(
      'SELECT coalesce(max(sequence), 0) AS sequence FROM node_logs WHERE execution_id = ?',
      executionId,
    );
    return Promise.resolve(row ? integer(row, 'sequence') : 0);
  }

  #attempts(turn: NodeTurn): Row[] {
    return this.#database.all(
      'SELECT * FROM node_runs WHERE execution_id = ? AND node_id = ? AND iteration = ? ORDER BY attempt',
      turn.executionId,
      turn.nodeId,
      JSON.stringify(turn.iteration),
    );
  }

  #withOpenRun(turn: NodeTurn, work: (open: OpenRun) => void): void {
    this.#database.transaction(() => {
      const last = this.#attempts(turn).at(-1);
      const open = last && toOpenRun(last);
      if (open) work(open);
    });
  }

  #open(turn: NodeTurn, attempt: number, input: JsonValue): void {
    const startedAt = this.#insert(turn, attempt, 'running');
    this.#log(
      turn,
      { attempt, startedAt },
      { level: 'debug', message: 'node started', status: 'running', input },
    );
    this.#tell(turn, attempt, 'started', 'running');
  }

  /** Adds the attempt and answers when it started. */
  #insert(turn: NodeTurn, attempt: number, status: 'running' | 'skipped'): string {
    const startedAt = toTimestamp(this.#database.clock());
    this.#database.run(
      `INSERT INTO node_runs (execution_id, node_id, iteration, attempt, status, started_at)
       VALUES (?, ?, ?, ?, ?, ?)`,
      turn.executionId,
      turn.nodeId,
      JSON.stringify(turn.iteration),
      attempt,
      status,
      startedAt,
    );
    return startedAt;
  }

  #interrupt(turn: NodeTurn, open: OpenRun): void {
    const error = {
      code: 'interrupted',
      message: 'Interrupted by a restart of the service; the node runs again.',
    };
    this.#close(turn, open, { status: 'failed', error }, true);
  }

  #close(turn: NodeTurn, open: OpenRun, outcome: NodeOutcome, wasInterrupted: boolean): void {
    const output = outcome.status === 'completed' ? outcome.output : null;
    const error = outcome.status === 'failed' ? outcome.error : null;
    this.#database.run(
      `UPDATE node_runs SET status = ?, was_interrupted = ?, output = ?, error = ?
       WHERE execution_id = ? AND node_id = ? AND iteration = ? AND attempt = ?`,
      outcome.status,
      Number(wasInterrupted),
      outcome.status === 'completed' ? JSON.stringify(output) : null,
      error && JSON.stringify(error),
      turn.executionId,
      turn.nodeId,
      JSON.stringify(turn.iteration),
      open.attempt,
    );
    this.#log(turn, open, {
      level: outcome.status === 'failed' ? (wasInterrupted ? 'warn' : 'error') : 'info',
      message: outcome.status === 'completed' ? 'node completed' : outcome.error.message,
      status: outcome.status,
      output,
      error,
      hasEnded: true,
    });
    this.#tell(turn, open.attempt, outcome.status, outcome.status);
  }

  #setStatus(turn: NodeTurn, attempt: number, status: string): void {
    this.#database.run(
      `UPDATE node_runs SET status = ?
       WHERE execution_id = ? AND node_id = ? AND iteration = ? AND attempt = ?`,
      status,
      turn.executionId,
      turn.nodeId,
      JSON.stringify(turn.iteration),
      attempt,
    );
  }

  #log(turn: NodeTurn, open: Omit<OpenRun, 'status'>, line: NodeLogLine): void {
    insertNodeLog(this.#database, turn, open, line);
    this.#database.announce(`execution:${turn.executionId}`);
  }

  #tell(turn: NodeTurn, attempt: number, kind: string, status: string): void {
    const row = this.#database.get('SELECT workflow_id FROM executions WHERE id = ?', turn.executionId);
    this.#publish({
      type: `node.${kind}`,
      data: { ...(row && { workflowId: text(row, 'workflow_id') }), ...turn, attempt, status },
    });
  }
}

function toOpenRun(row: Row): OpenRun | undefined {
  const status = row['status'];
  if (status !== 'running' && status !== 'waiting') return undefined;
  return { attempt: integer(row, 'attempt'), startedAt: text(row, 'started_at'), status };
}

/** How the turn ended for good; undefined when an attempt is open or may follow. */
function endOf(last: Row, failures: number, maximumAttempts: number): NodeOutcome | undefined {
  if (last['status'] === 'completed') return { status: 'completed', output: json(last, 'output') };
  if (last['status'] === 'failed' && last['was_interrupted'] === 0 && failures >= maximumAttempts)
    return { status: 'failed', error: v.parse(FailureSchema, json(last, 'error')) };
  return undefined;
}
