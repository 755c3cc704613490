// Each change of a node run and its node log is one transaction, so a resumed execution never finds half of one.
import type {
  BeginOptions,
  EndOptions,
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
import type { Claim } from '../store.ts';
import { lockUnfinished } from './claims.ts';
import {
  type Change,
  forgetLoopResults,
  isOwn,
  keepLoopResult,
  keyOf,
  type LockedNodeRun,
  lockNodeRun,
  type OpenRun,
  readEnd,
  readLoopProgress,
  readLoopResults,
  readTurn,
  toOpenRun,
  update,
} from './nodeRunRows.ts';
import type { SqlDatabase } from './database.ts';
import { insertNodeLog, type NodeLogLine, readNodeLog, readNodeLogs } from './nodeLogs.ts';
import { keepValue, readValue } from './payloads.ts';
import type { SqlPortalEventStore } from './portalEvents.ts';
import { integer, nullableInteger, text } from './rows.ts';
import type { LogLevel } from '../../../domain/nodeLog.ts';

export class SqlNodeRunStore implements NodeRunStore {
  readonly #database: SqlDatabase;
  readonly #portalEvents: SqlPortalEventStore;

  constructor(database: SqlDatabase, portalEvents: SqlPortalEventStore) {
    this.#database = database;
    this.#portalEvents = portalEvents;
  }

  begin(turn: NodeTurn, options: BeginOptions): Promise<NodeRunStart> {
    return this.#change(turn, async (change, { attempts }): Promise<NodeRunStart> => {
      const { transaction } = change;
      const last = attempts.at(-1);
      const failures = attempts.filter(
        (row) => row['status'] === 'failed' && row['was_interrupted'] === 0,
      ).length;
      const outcome = last && (await readEnd(transaction, last, failures, options.maximumAttempts));
      if (outcome) return { kind: 'ended', outcome };
      const wakeAt = last ? nullableInteger(last, 'wake_at') : null;
      const open = last && toOpenRun(last);
      if (open && (options.canResume || isOwn(turn, last)))
        return {
          kind: options.canResume ? 'resumed' : 'started',
          failures,
          startedAt: Date.parse(open.startedAt),
          wakeAt,
          items: await readValue(transaction, turn.executionId, last, 'items'),
        };
      if (open) this.#interrupt(change, open);
      else if (wakeAt !== null && wakeAt > options.now) return { kind: 'early', wakeAt };
      const startedAt = this.#open(change, (last ? integer(last, 'attempt') : 0) + 1, options.input);
      return { kind: 'started', failures, startedAt: Date.parse(startedAt), wakeAt: null, items: null };
    });
  }

  say(turn: NodeTurn, level: LogLevel, message: string): Promise<void> {
    return this.#changeOpen(turn, (change, open) =>
      this.#log(change, open, { level, message, status: open.status }),
    );
  }

  wait(turn: NodeTurn, message: string, wakeAt: number): Promise<void> {
    return this.#changeOpen(turn, (change, open) => {
      if (open.status === 'waiting') return;
      update(change, open.attempt, `status = 'waiting', wake_at = ?`, wakeAt);
      this.#log(change, open, { level: 'info', message, status: 'waiting' });
    });
  }

  end(turn: NodeTurn, outcome: NodeOutcome, { retryAt, line }: EndOptions = {}): Promise<void> {
    return this.#changeOpen(turn, (change, open) => {
      if (line) this.#log(change, open, { ...line, status: open.status });
      this.#close(change, open, outcome, { retryAt: retryAt ?? null });
    });
  }

  failOpen(claim: Claim, error: NodeFailure): Promise<string | undefined> {
    return this.#database.transaction(async (transaction) => {
      const execution = await lockUnfinished(this.#database, transaction, claim);
      if (!execution) return undefined;
      const rows = await transaction.all(
        `SELECT * FROM node_runs WHERE execution_id = ? AND status IN ('running', 'waiting')`,
        claim.executionId,
      );
      let ran: string | undefined;
      for (const row of rows) {
        const turn = await readTurn(transaction, row, claim);
        const open = toOpenRun(row);
        if (!open) continue;
        if (turn.nodeType !== 'forEach') ran = turn.nodeId;
        const change = { transaction, turn, workflowId: text(execution, 'workflow_id') };
        this.#close(change, open, { status: 'failed', error });
      }
      return ran;
    });
  }

  skip(turn: NodeTurn, reason: string): Promise<void> {
    return this.#change(turn, (change, { attempts }) => {
      if (attempts.length > 0) return;
      const startedAt = this.#insert(change, 1, 'skipped');
      const line = {
        level: 'info',
        message: `Skipped: ${reason}`,
        status: 'skipped',
        hasEnded: true,
      } as const;
      this.#log(change, { attempt: 1, startedAt }, line);
      this.#tell(change, 1, 'skipped', 'skipped');
    });
  }

  keepItems(turn: NodeTurn, items: string, message: string): Promise<void> {
    return this.#changeOpen(turn, (change, open) => {
      const value = keepValue(change.transaction, turn.executionId, items);
      update(change, open.attempt, 'items = ?', value);
      this.#log(change, open, { level: 'info', message, status: open.status });
    });
  }

  keepResult(turn: NodeTurn, index: number, result: string): Promise<void> {
    return this.#change(turn, ({ transaction }) => keepLoopResult(transaction, turn, index, result));
  }

  loopProgress(turn: NodeTurn): Promise<LoopProgress> {
    return readLoopProgress(this.#database, turn);
  }

  loopResults(turn: NodeTurn): Promise<string> {
    return readLoopResults(this.#database, turn);
  }

  listLogs(query: NodeLogQuery): Promise<NodeLogPage> {
    return readNodeLogs(this.#database, query);
  }

  getLog(executionId: string, logId: string): Promise<StoredNodeLog | undefined> {
    return readNodeLog(this.#database, executionId, logId);
  }

  async lastSequence(executionId: string): Promise<number> {
    const row = await this.#database.get(
      'SELECT coalesce(max(sequence), 0) AS sequence FROM node_logs WHERE execution_id = ?',
      executionId,
    );
    return row ? integer(row, 'sequence') : 0;
  }

  /** Changes a node run while no one else writes about its execution. */
  #change<T>(turn: NodeTurn, work: (change: Change, run: LockedNodeRun) => T | Promise<T>): Promise<T> {
    return this.#database.transaction(async (transaction) => {
      const run = await lockNodeRun(this.#database, transaction, turn);
      return work({ transaction, turn, workflowId: run.workflowId }, run);
    });
  }

  /** Changes the open attempt, if there is one. */
  #changeOpen(turn: NodeTurn, work: (change: Change, open: OpenRun) => void): Promise<void> {
    return this.#change(turn, (change, { attempts }) => {
      const last = attempts.at(-1);
      const open = last && toOpenRun(last);
      if (open) work(change, open);
    });
  }

  /** Returns the start as an ISO timestamp. */
  #open(change: Change, attempt: number, value: string): string {
    const startedAt = this.#insert(change, attempt, 'running');
    const input = keepValue(change.transaction, change.turn.executionId, value);
    this.#log(
      change,
      { attempt, startedAt },
      { level: 'debug', message: 'node started', status: 'running', input },
    );
    this.#tell(change, attempt, 'started', 'running');
    return startedAt;
  }

  /** Adds the attempt and returns its start as an ISO timestamp. */
  #insert({ transaction, turn }: Change, attempt: number, status: 'running' | 'skipped'): string {
    const startedAt = this.#database.timestamp();
    transaction.write(
      `INSERT INTO node_runs (execution_id, node_id, iteration, attempt, status, started_at, claim)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
      ...keyOf(turn),
      attempt,
      status,
      startedAt,
      turn.claim,
    );
    return startedAt;
  }

  #interrupt(change: Change, open: OpenRun): void {
    const error = {
      code: 'interrupted',
      message: 'Interrupted by a restart of the service; the node runs again.',
    };
    this.#close(change, open, { status: 'failed', error }, { wasInterrupted: true });
  }

  #close(
    change: Change,
    open: OpenRun,
    outcome: NodeOutcome,
    { wasInterrupted = false, retryAt = null }: { wasInterrupted?: boolean; retryAt?: number | null } = {},
  ): void {
    const { transaction, turn } = change;
    const output =
      outcome.status === 'completed' ? keepValue(transaction, turn.executionId, outcome.output) : null;
    const error = outcome.status === 'failed' ? outcome.error : null;
    update(
      change,
      open.attempt,
      'status = ?, was_interrupted = ?, output = ?, error = ?, wake_at = ?, items = NULL',
      outcome.status,
      Number(wasInterrupted),
      output,
      error && JSON.stringify(error),
      retryAt,
    );
    if (turn.nodeType === 'forEach') forgetLoopResults(transaction, turn);
    this.#log(change, open, {
      level: outcome.status === 'failed' ? (wasInterrupted ? 'warn' : 'error') : 'info',
      message: outcome.status === 'completed' ? 'node completed' : outcome.error.message,
      status: outcome.status,
      output,
      error,
      hasEnded: true,
    });
    this.#tell(change, open.attempt, outcome.status, outcome.status);
  }

  #log({ transaction, turn }: Change, open: Omit<OpenRun, 'status'>, line: NodeLogLine): void {
    insertNodeLog(this.#database, transaction, turn, open, line);
    transaction.announce(`execution:${turn.executionId}`);
  }

  #tell({ transaction, turn, workflowId }: Change, attempt: number, kind: string, status: string): void {
    const { executionId, nodeId, nodeName, nodeType, iteration } = turn;
    this.#portalEvents.publish(transaction, {
      type: `node.${kind}`,
      data: { workflowId, executionId, nodeId, nodeName, nodeType, iteration, attempt, status },
    });
  }
}
