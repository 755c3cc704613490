// An execution in the transaction that has locked it. Its node log rows and portal events are collected, and inserted together.
import { executionStatuses, type ExecutionStatus } from '../../../domain/status.ts';
import { type Claim, LostClaimError } from '../executionWriter.ts';
import type { Row, SqlDatabase, SqlValue, Transaction } from './database.ts';
import { insertNodeLogs, type NewNodeLog } from './nodeLogs.ts';
import { keepValue } from './payloads.ts';
import type { PublishedEvent, SqlPortalEventStore } from './portalEvents.ts';
import { integer, text, word } from './rows.ts';

/** What a transaction about an execution writes to. */
export interface ExecutionTables {
  readonly database: SqlDatabase;
  readonly portalEvents: SqlPortalEventStore;
}

/** What is stored about an execution, as far as writing about it depends on it. */
export interface ExecutionState {
  readonly workflowId: string;
  readonly eventId: string;
  readonly status: ExecutionStatus;
  /** How often the process has died during it since a node run last ended. */
  readonly deaths: number;
  /** The sequence of the last node log row; 0 when there's none. */
  readonly sequence: number;
}

/**
 * Locks the execution with the statement, which returns its row, and reads its last sequence with a second one: what waited for the lock
 * doesn't see what was committed meanwhile. Both are sent at once.
 */
export async function lockState(
  transaction: Transaction,
  executionId: string,
  sql: string,
  ...values: SqlValue[]
): Promise<{ readonly row: Row; readonly state: ExecutionState } | undefined> {
  const [row, last] = await Promise.all([
    transaction.get(sql, ...values),
    transaction.get(
      'SELECT coalesce(max(sequence), 0) AS sequence FROM node_logs WHERE execution_id = ?',
      executionId,
    ),
  ]);
  if (!row || !last) return undefined;
  const state = {
    workflowId: text(row, 'workflow_id'),
    eventId: text(row, 'event_id'),
    status: word(row, 'status', executionStatuses),
    deaths: integer(row, 'deaths'),
    sequence: integer(last, 'sequence'),
  };
  return { row, state };
}

export class LockedExecution {
  readonly database: SqlDatabase;
  readonly transaction: Transaction;
  readonly id: string;
  /** The number of the take; null for a caller that works for no run. */
  readonly claim: number | null;
  readonly #portalEvents: SqlPortalEventStore;
  readonly #logs: NewNodeLog[] = [];
  readonly #events: PublishedEvent[] = [];
  #state: ExecutionState;

  private constructor(
    { database, portalEvents }: ExecutionTables,
    transaction: Transaction,
    { executionId, claim }: Claim,
    state: ExecutionState,
  ) {
    this.database = database;
    this.#portalEvents = portalEvents;
    this.transaction = transaction;
    this.id = executionId;
    this.claim = claim;
    this.#state = state;
  }

  /** Rejects with a LostClaimError. */
  static async lock(
    tables: ExecutionTables,
    transaction: Transaction,
    claim: Claim,
  ): Promise<LockedExecution> {
    const locked = await lockState(
      transaction,
      claim.executionId,
      `SELECT workflow_id, event_id, status, deaths, claims
       FROM executions WHERE id = ? ${tables.database.lockRows('executions')}`,
      claim.executionId,
    );
    if (!locked || (claim.claim !== null && integer(locked.row, 'claims') !== claim.claim))
      throw new LostClaimError();
    return new LockedExecution(tables, transaction, claim, locked.state);
  }

  /** Locks an execution whose state is known without waiting; the transaction fails with an UnmetDemandError when the claim is lost. */
  static lockKnown(
    tables: ExecutionTables,
    transaction: Transaction,
    claim: Claim,
    state: ExecutionState,
  ): LockedExecution {
    transaction.demand(
      `SELECT id FROM executions WHERE id = ? AND claims = ? ${tables.database.lockRows('executions')}`,
      claim.executionId,
      claim.claim,
    );
    return new LockedExecution(tables, transaction, claim, state);
  }

  /** As it will be after the commit. */
  get state(): ExecutionState {
    return this.#state;
  }

  update(changes: Partial<Pick<ExecutionState, 'status' | 'deaths'>>): void {
    this.#state = { ...this.#state, ...changes };
  }

  log(row: NewNodeLog): void {
    this.#logs.push(row);
  }

  publish(event: PublishedEvent): void {
    this.#events.push(event);
  }

  /** Returns the stored form of a JSON text. */
  keep(value: string): string {
    return keepValue(this.transaction, this.id, value);
  }

  /** Announces that there is something new to read about the execution. */
  announce(): void {
    this.transaction.announce(`execution:${this.id}`);
  }

  /** Inserts what was collected. */
  flush(): void {
    const { sequence } = this.#state;
    insertNodeLogs(this.transaction, this.#logs, sequence);
    this.#state = { ...this.#state, sequence: sequence + this.#logs.length };
    this.#portalEvents.publish(this.transaction, this.#events);
    if (this.#logs.length + this.#events.length > 0) this.announce();
  }
}
