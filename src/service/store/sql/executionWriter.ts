// Each change of an execution, its node runs and its node log is part of one transaction, so a resumed execution never finds half of one.
import { executionStatuses, type ExecutionStatus } from '../../../domain/status.ts';
import {
  type BeginOptions,
  type Claim,
  type EndOptions,
  type ExecutionOutcome,
  type ExecutionWriter,
  LostClaimError,
  type NodeLine,
  type NodeRunStart,
} from '../executionWriter.ts';
import type { NodeFailure, NodeOutcome, NodeTurn } from '../nodeRuns.ts';
import type { Row, SqlDatabase } from './database.ts';
import { tellExecution } from './executionEvents.ts';
import { keepLoopResult, nameOf, readAttempts, readEnd, readOpenTurns, toOpenRun } from './nodeRunRows.ts';
import { type LockedExecution, NodeRunWriter } from './nodeRunWriter.ts';
import { keepValue, readValue } from './payloads.ts';
import type { SqlPortalEventStore } from './portalEvents.ts';
import { integer, nullableInteger, text, word } from './rows.ts';

export interface WriterStores {
  readonly database: SqlDatabase;
  readonly portalEvents: SqlPortalEventStore;
}

/** Locks the execution and runs the work on it; see ExecutionStore.write. */
export function writeExecution<T>(
  { database, portalEvents }: WriterStores,
  { executionId: id, claim }: Claim,
  work: (writer: ExecutionWriter) => T | Promise<T>,
  turns: readonly NodeTurn[],
): Promise<T> {
  return database.transaction(async (transaction) => {
    const [row, ...attempts] = await Promise.all([
      transaction.get(
        `SELECT workflow_id, event_id, status, deaths, claims FROM executions WHERE id = ? ${database.lockRows('executions')}`,
        id,
      ),
      ...turns.map((turn) => readAttempts(transaction, turn)),
    ]);
    if (!row || (claim !== null && integer(row, 'claims') !== claim)) throw new LostClaimError();
    const execution = {
      database,
      transaction,
      portalEvents,
      id,
      claim,
      workflowId: text(row, 'workflow_id'),
    };
    const known = new Map(turns.map((turn, index) => [nameOf(turn), attempts[index] ?? []]));
    return work(new SqlExecutionWriter(execution, row, new NodeRunWriter(execution, known)));
  });
}

class SqlExecutionWriter implements ExecutionWriter {
  readonly #execution: LockedExecution;
  readonly #nodeRuns: NodeRunWriter;
  readonly #eventId: string;
  readonly #deaths: number;
  #status: ExecutionStatus;

  constructor(execution: LockedExecution, row: Row, nodeRuns: NodeRunWriter) {
    this.#execution = execution;
    this.#nodeRuns = nodeRuns;
    this.#eventId = text(row, 'event_id');
    this.#deaths = integer(row, 'deaths');
    this.#status = word(row, 'status', executionStatuses);
  }

  setStatus(status: 'running' | 'waiting'): void {
    const { transaction, id } = this.#execution;
    if (this.#hasEnded()) return;
    transaction.write(
      'UPDATE executions SET status = ?, is_under_way = ? WHERE id = ?',
      status,
      Number(status === 'running'),
      id,
    );
    if (this.#status === status) return;
    this.#status = status;
    if (status === 'waiting') this.#tell();
    else transaction.announce(`execution:${id}`);
  }

  finish(outcome: ExecutionOutcome): void {
    const { database, transaction, id } = this.#execution;
    if (this.#hasEnded()) return;
    transaction.write(
      `UPDATE executions SET status = ?, output = ?, error = ?, completed_at = ?, is_under_way = 0 WHERE id = ?`,
      outcome.status,
      outcome.status === 'completed' ? keepValue(transaction, id, outcome.output) : null,
      outcome.status === 'failed' ? JSON.stringify(outcome.error) : null,
      database.timestamp(),
      id,
    );
    this.#status = outcome.status;
    this.#tell();
  }

  async begin(
    turn: NodeTurn,
    { canResume, maximumAttempts, now, input }: BeginOptions,
  ): Promise<NodeRunStart> {
    const { transaction, id } = this.#execution;
    const attempts = await this.#nodeRuns.read(turn);
    const last = attempts.at(-1);
    const failures = attempts.filter(
      (row) => row['status'] === 'failed' && row['was_interrupted'] === 0,
    ).length;
    const outcome = last && (await readEnd(transaction, last, failures, maximumAttempts));
    if (outcome) return { kind: 'ended', outcome };
    const wakeAt = last ? nullableInteger(last, 'wake_at') : null;
    const open = last && toOpenRun(last);
    if (open && (canResume || this.#isOwn(last)))
      return {
        kind: canResume ? 'resumed' : 'started',
        failures,
        startedAt: Date.parse(open.startedAt),
        wakeAt,
        items: await readValue(transaction, id, last, 'items'),
      };
    if (open) this.#nodeRuns.close(turn, open, interrupted, { wasInterrupted: true });
    else if (wakeAt !== null && wakeAt > now) return { kind: 'early', wakeAt };
    const startedAt = this.#nodeRuns.open(turn, (last ? integer(last, 'attempt') : 0) + 1, input);
    return { kind: 'started', failures, startedAt: Date.parse(startedAt), wakeAt: null, items: null };
  }

  async say(turn: NodeTurn, line: NodeLine): Promise<void> {
    const open = await this.#nodeRuns.readOpen(turn);
    if (open) this.#nodeRuns.log(turn, open, { ...line, status: open.status });
  }

  async wait(turn: NodeTurn, message: string, wakeAt: number): Promise<void> {
    const open = await this.#nodeRuns.readOpen(turn);
    if (open?.status !== 'running') return;
    this.#nodeRuns.update(turn, open.attempt, `status = 'waiting', wake_at = ?`, wakeAt);
    this.#nodeRuns.log(turn, open, { level: 'info', message, status: 'waiting' });
  }

  async end(turn: NodeTurn, outcome: NodeOutcome, { retryAt, line }: EndOptions = {}): Promise<void> {
    const { transaction, id } = this.#execution;
    const open = await this.#nodeRuns.readOpen(turn);
    if (!open) return;
    if (line) this.#nodeRuns.log(turn, open, { ...line, status: open.status });
    this.#nodeRuns.close(turn, open, outcome, { retryAt: retryAt ?? null });
    if (this.#deaths > 0) transaction.write('UPDATE executions SET deaths = 0 WHERE id = ?', id);
  }

  async failOpen(error: NodeFailure): Promise<string | undefined> {
    const { transaction, id } = this.#execution;
    let ran: string | undefined;
    for (const { turn, open } of await readOpenTurns(transaction, id)) {
      if (turn.nodeType !== 'forEach') ran = turn.nodeId;
      this.#nodeRuns.close(turn, open, { status: 'failed', error });
    }
    return ran;
  }

  async skip(turn: NodeTurn, reason: string): Promise<void> {
    const attempts = await this.#nodeRuns.read(turn);
    if (attempts.length === 0) this.#nodeRuns.skip(turn, reason);
  }

  async keepItems(turn: NodeTurn, items: string, message: string): Promise<void> {
    const { transaction, id } = this.#execution;
    const open = await this.#nodeRuns.readOpen(turn);
    if (!open || open.hasItems) return;
    this.#nodeRuns.update(turn, open.attempt, 'items = ?', keepValue(transaction, id, items));
    this.#nodeRuns.log(turn, open, { level: 'info', message, status: open.status });
  }

  keepResult(turn: NodeTurn, index: number, result: string): void {
    keepLoopResult(this.#execution.transaction, turn, index, result);
  }

  /** Whether this run has opened the attempt itself: it then repeats a call whose answer was lost. */
  #isOwn(attempt: Row): boolean {
    const { claim } = this.#execution;
    return claim !== null && attempt['claim'] === claim;
  }

  #hasEnded(): boolean {
    return this.#status === 'completed' || this.#status === 'failed' || this.#status === 'cancelled';
  }

  #tell(): void {
    const { transaction, portalEvents, id, workflowId } = this.#execution;
    const eventId = this.#eventId;
    const status = this.#status;
    tellExecution(transaction, portalEvents, status, { workflowId, executionId: id, eventId, status });
  }
}

const interrupted: NodeOutcome = {
  status: 'failed',
  error: { code: 'interrupted', message: 'Interrupted by a restart of the service; the node runs again.' },
};
