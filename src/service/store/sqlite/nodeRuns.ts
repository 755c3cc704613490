// Each change of a node run and its node log is one transaction, so a resumed execution never finds half of one.
import type { SQLInputValue } from 'node:sqlite';
import type {
  BeginOptions,
  LoopProgress,
  NodeFailure,
  NodeLogPage,
  NodeLogQuery,
  NodeOutcome,
  NodeRunStart,
  NodeRunStore,
  NodeTurn,
  StoredNodeLog,
} from '../nodeRuns.ts';
import {
  forgetLoopResults,
  keepLoopResult,
  keyOf,
  type OpenRun,
  ofNodeRun,
  readAttempts,
  readEnd,
  readLoopProgress,
  readLoopResults,
  readTurn,
  toOpenRun,
} from './nodeRunRows.ts';
import type { SqliteDatabase } from './database.ts';
import { insertNodeLog, type NodeLogLine, readNodeLog, readNodeLogs } from './nodeLogs.ts';
import { keepValue, readValue } from './payloads.ts';
import type { SqlitePortalEventStore } from './portalEvents.ts';
import { integer, nullableInteger, text } from './rows.ts';
import type { LogLevel } from '../../../domain/nodeLog.ts';

export class SqliteNodeRunStore implements NodeRunStore {
  readonly #database: SqliteDatabase;
  readonly #portalEvents: SqlitePortalEventStore;

  constructor(database: SqliteDatabase, portalEvents: SqlitePortalEventStore) {
    this.#database = database;
    this.#portalEvents = portalEvents;
  }

  begin(turn: NodeTurn, options: BeginOptions): Promise<NodeRunStart> {
    return Promise.resolve(
      this.#database.transaction((): NodeRunStart => {
        const attempts = readAttempts(this.#database, turn);
        const last = attempts.at(-1);
        const failures = attempts.filter(
          (row) => row['status'] === 'failed' && row['was_interrupted'] === 0,
        ).length;
        const outcome = last && readEnd(this.#database, last, failures, options.maximumAttempts);
        if (outcome) return { kind: 'ended', outcome };
        const wakeAt = last ? nullableInteger(last, 'wake_at') : null;
        const open = last && toOpenRun(last);
        if (open && options.canResume)
          return {
            kind: 'resumed',
            failures,
            startedAt: Date.parse(open.startedAt),
            wakeAt,
            items: readValue(this.#database, turn.executionId, last, 'items'),
          };
        if (open) this.#interrupt(turn, open);
        else if (wakeAt !== null && wakeAt > options.now) return { kind: 'early', wakeAt };
        const startedAt = this.#open(turn, (last ? integer(last, 'attempt') : 0) + 1, options.input);
        return { kind: 'started', failures, startedAt: Date.parse(startedAt), wakeAt: null, items: null };
      }),
    );
  }

  say(turn: NodeTurn, level: LogLevel, message: string): Promise<void> {
    this.#withOpenRun(turn, (open) => this.#log(turn, open, { level, message, status: open.status }));
    return Promise.resolve();
  }

  wait(turn: NodeTurn, message: string, wakeAt: number): Promise<void> {
    this.#withOpenRun(turn, (open) => {
      if (open.status === 'waiting') return;
      this.#update(turn, open.attempt, `status = 'waiting', wake_at = ?`, wakeAt);
      this.#log(turn, open, { level: 'info', message, status: 'waiting' });
    });
    return Promise.resolve();
  }

  end(turn: NodeTurn, outcome: NodeOutcome, retryAt?: number): Promise<void> {
    this.#withOpenRun(turn, (open) => this.#close(turn, open, outcome, { retryAt: retryAt ?? null }));
    return Promise.resolve();
  }

  failOpen(executionId: string, error: NodeFailure): Promise<string | undefined> {
    return Promise.resolve(
      this.#database.transaction(() => {
        const rows = this.#database.all(
          `SELECT * FROM node_runs WHERE execution_id = ? AND status IN ('running', 'waiting')`,
          executionId,
        );
        let ran: string | undefined;
        for (const row of rows) {
          const turn = readTurn(this.#database, row);
          const open = toOpenRun(row);
          if (!open) continue;
          if (turn.nodeType !== 'forEach') ran = turn.nodeId;
          this.#close(turn, open, { status: 'failed', error });
        }
        return ran;
      }),
    );
  }

  skip(turn: NodeTurn, reason: string): Promise<void> {
    this.#database.transaction(() => {
      if (readAttempts(this.#database, turn).length > 0) return;
      const startedAt = this.#insert(turn, 1, 'skipped');
      const line = {
        level: 'info',
        message: `Skipped: ${reason}`,
        status: 'skipped',
        hasEnded: true,
      } as const;
      this.#log(turn, { attempt: 1, startedAt }, line);
      this.#tell(turn, 1, 'skipped', 'skipped');
    });
    return Promise.resolve();
  }

  keepItems(turn: NodeTurn, items: string, message: string): Promise<void> {
    this.#withOpenRun(turn, (open) => {
      this.#update(turn, open.attempt, 'items = ?', keepValue(this.#database, turn.executionId, items));
      this.#log(turn, open, { level: 'info', message, status: open.status });
    });
    return Promise.resolve();
  }

  keepResult(turn: NodeTurn, index: number, result: string): Promise<void> {
    this.#database.transaction(() => keepLoopResult(this.#database, turn, index, result));
    return Promise.resolve();
  }

  loopProgress(turn: NodeTurn): Promise<LoopProgress> {
    return Promise.resolve(readLoopProgress(this.#database, turn));
  }

  loopResults(turn: NodeTurn): Promise<string> {
    return Promise.resolve(readLoopResults(this.#database, turn));
  }

  listLogs(query: NodeLogQuery): Promise<NodeLogPage> {
    return Promise.resolve(readNodeLogs(this.#database, query));
  }

  getLog(executionId: string, logId: string): Promise<StoredNodeLog | undefined> {
    return Promise.resolve(readNodeLog(this.#database, executionId, logId));
  }

  lastSequence(executionId: string): Promise<number> {
    const row = this.#database.get(
      'SELECT coalesce(max(sequence), 0) AS sequence FROM node_logs WHERE execution_id = ?',
      executionId,
    );
    return Promise.resolve(row ? integer(row, 'sequence') : 0);
  }

  #withOpenRun(turn: NodeTurn, work: (open: OpenRun) => void): void {
    this.#database.transaction(() => {
      const last = readAttempts(this.#database, turn).at(-1);
      const open = last && toOpenRun(last);
      if (open) work(open);
    });
  }

  /** Returns the start as an ISO timestamp. */
  #open(turn: NodeTurn, attempt: number, value: string): string {
    const startedAt = this.#insert(turn, attempt, 'running');
    const input = keepValue(this.#database, turn.executionId, value);
    this.#log(
      turn,
      { attempt, startedAt },
      { level: 'debug', message: 'node started', status: 'running', input },
    );
    this.#tell(turn, attempt, 'started', 'running');
    return startedAt;
  }

  /** Adds the attempt and returns its start as an ISO timestamp. */
  #insert(turn: NodeTurn, attempt: number, status: 'running' | 'skipped'): string {
    const startedAt = this.#database.timestamp();
    this.#database.run(
      `INSERT INTO node_runs (execution_id, node_id, iteration, attempt, status, started_at)
       VALUES (?, ?, ?, ?, ?, ?)`,
      ...keyOf(turn),
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
    this.#close(turn, open, { status: 'failed', error }, { wasInterrupted: true });
  }

  #close(
    turn: NodeTurn,
    open: OpenRun,
    outcome: NodeOutcome,
    { wasInterrupted = false, retryAt = null }: { wasInterrupted?: boolean; retryAt?: number | null } = {},
  ): void {
    const output =
      outcome.status === 'completed' ? keepValue(this.#database, turn.executionId, outcome.output) : null;
    const error = outcome.status === 'failed' ? outcome.error : null;
    this.#update(
      turn,
      open.attempt,
      'status = ?, was_interrupted = ?, output = ?, error = ?, wake_at = ?, items = NULL',
      outcome.status,
      Number(wasInterrupted),
      output,
      error && JSON.stringify(error),
      retryAt,
    );
    if (turn.nodeType === 'forEach') forgetLoopResults(this.#database, turn);
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

  #update(turn: NodeTurn, attempt: number, assignments: string, ...values: SQLInputValue[]): void {
    this.#database.run(
      `UPDATE node_runs SET ${assignments} WHERE ${ofNodeRun} AND attempt = ?`,
      ...values,
      ...keyOf(turn),
      attempt,
    );
  }

  #log(turn: NodeTurn, open: Omit<OpenRun, 'status'>, line: NodeLogLine): void {
    insertNodeLog(this.#database, turn, open, line);
    this.#database.announce(`execution:${turn.executionId}`);
  }

  #tell(turn: NodeTurn, attempt: number, kind: string, status: string): void {
    const row = this.#database.get('SELECT workflow_id FROM executions WHERE id = ?', turn.executionId);
    this.#portalEvents.publish({
      type: `node.${kind}`,
      data: { ...(row && { workflowId: text(row, 'workflow_id') }), ...turn, attempt, status },
    });
  }
}
