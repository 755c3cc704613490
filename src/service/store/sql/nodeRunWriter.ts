// Writes the attempts of node runs, with their node log rows and portal events.
import type { NodeOutcome, NodeTurn } from '../nodeRuns.ts';
import type { Row, SqlDatabase, SqlValue, Transaction } from './database.ts';
import { insertNodeLog, type NodeLogLine } from './nodeLogs.ts';
import {
  forgetLoopResults,
  keyOf,
  nameOf,
  type OpenRun,
  readAttempts,
  toOpenRun,
  updateAttempt,
} from './nodeRunRows.ts';
import { keepValue } from './payloads.ts';
import type { SqlPortalEventStore } from './portalEvents.ts';

/** An execution in the transaction that has locked it. */
export interface LockedExecution {
  readonly database: SqlDatabase;
  readonly transaction: Transaction;
  readonly portalEvents: SqlPortalEventStore;
  readonly id: string;
  readonly workflowId: string;
  /** The number of the take; null for a caller that works for no run. */
  readonly claim: number | null;
}

interface CloseOptions {
  readonly wasInterrupted?: boolean;
  /** When the next attempt can start, in epoch milliseconds; null when none follows. */
  readonly retryAt?: number | null;
}

export class NodeRunWriter {
  readonly #execution: LockedExecution;
  /** The attempts of node runs, oldest first, unless they have changed since. */
  readonly #attempts: Map<string, readonly Row[]>;

  constructor(execution: LockedExecution, attempts: Map<string, readonly Row[]>) {
    this.#execution = execution;
    this.#attempts = attempts;
  }

  /** Returns the attempts, oldest first. */
  async read(turn: NodeTurn): Promise<readonly Row[]> {
    const name = nameOf(turn);
    const known = this.#attempts.get(name);
    if (known) return known;
    const attempts = await readAttempts(this.#execution.transaction, turn);
    this.#attempts.set(name, attempts);
    return attempts;
  }

  async readOpen(turn: NodeTurn): Promise<OpenRun | undefined> {
    const last = (await this.read(turn)).at(-1);
    return last && toOpenRun(last);
  }

  /** Adds an attempt and returns its start as an ISO timestamp. */
  open(turn: NodeTurn, attempt: number, value: string): string {
    const { transaction, id } = this.#execution;
    const startedAt = this.#insert(turn, attempt, 'running');
    const input = keepValue(transaction, id, value);
    const line = { level: 'debug', message: 'node started', status: 'running', input } as const;
    this.log(turn, { attempt, startedAt }, line);
    this.#tell(turn, attempt, 'started', 'running');
    return startedAt;
  }

  skip(turn: NodeTurn, reason: string): void {
    const startedAt = this.#insert(turn, 1, 'skipped');
    const message = `Skipped: ${reason}`;
    this.log(turn, { attempt: 1, startedAt }, { level: 'info', message, status: 'skipped', hasEnded: true });
    this.#tell(turn, 1, 'skipped', 'skipped');
  }

  update(turn: NodeTurn, attempt: number, assignments: string, ...values: SqlValue[]): void {
    this.#attempts.delete(nameOf(turn));
    updateAttempt(this.#execution.transaction, turn, attempt, assignments, ...values);
  }

  close(
    turn: NodeTurn,
    open: OpenRun,
    outcome: NodeOutcome,
    { wasInterrupted = false, retryAt = null }: CloseOptions = {},
  ): void {
    const { transaction, id } = this.#execution;
    const output = outcome.status === 'completed' ? keepValue(transaction, id, outcome.output) : null;
    const error = outcome.status === 'failed' ? outcome.error : null;
    this.update(
      turn,
      open.attempt,
      'status = ?, was_interrupted = ?, output = ?, error = ?, wake_at = ?, items = NULL',
      outcome.status,
      Number(wasInterrupted),
      output,
      error && JSON.stringify(error),
      retryAt,
    );
    if (turn.nodeType === 'forEach') forgetLoopResults(transaction, turn);
    this.log(turn, open, {
      level: outcome.status === 'failed' ? (wasInterrupted ? 'warn' : 'error') : 'info',
      message: outcome.status === 'completed' ? 'node completed' : outcome.error.message,
      status: outcome.status,
      output,
      error,
      hasEnded: true,
    });
    this.#tell(turn, open.attempt, outcome.status, outcome.status);
  }

  log(turn: NodeTurn, run: Pick<OpenRun, 'attempt' | 'startedAt'>, line: NodeLogLine): void {
    const { database, transaction, id } = this.#execution;
    insertNodeLog(database, transaction, turn, run, line);
    transaction.announce(`execution:${id}`);
  }

  /** Adds the attempt and returns its start as an ISO timestamp. */
  #insert(turn: NodeTurn, attempt: number, status: 'running' | 'skipped'): string {
    const { database, transaction, claim } = this.#execution;
    this.#attempts.delete(nameOf(turn));
    const startedAt = database.timestamp();
    transaction.write(
      `INSERT INTO node_runs (execution_id, node_id, iteration, attempt, status, started_at, claim)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
      ...keyOf(turn),
      attempt,
      status,
      startedAt,
      claim,
    );
    return startedAt;
  }

  #tell(turn: NodeTurn, attempt: number, kind: string, status: string): void {
    const { transaction, portalEvents, workflowId } = this.#execution;
    const { executionId, nodeId, nodeName, nodeType, iteration } = turn;
    portalEvents.publish(transaction, {
      type: `node.${kind}`,
      data: { workflowId, executionId, nodeId, nodeName, nodeType, iteration, attempt, status },
    });
  }
}
