// An execution in the transaction that has locked it. Its node log rows and portal events are collected, and inserted together.
import { type Claim, LostClaimError } from '../executionWriter.ts';
import type { Row, SqlDatabase, Transaction } from './database.ts';
import { insertNodeLogs, type NewNodeLog } from './nodeLogs.ts';
import { keepValue } from './payloads.ts';
import type { PublishedEvent, SqlPortalEventStore } from './portalEvents.ts';
import { integer, text } from './rows.ts';

/** What a transaction about an execution writes to. */
export interface ExecutionTables {
  readonly database: SqlDatabase;
  readonly portalEvents: SqlPortalEventStore;
}

export class LockedExecution {
  readonly database: SqlDatabase;
  readonly transaction: Transaction;
  readonly id: string;
  readonly workflowId: string;
  /** The number of the take; null for a caller that works for no run. */
  readonly claim: number | null;
  /** The row as it was when it was locked. */
  readonly row: Row;
  readonly #portalEvents: SqlPortalEventStore;
  readonly #logs: NewNodeLog[] = [];
  readonly #events: PublishedEvent[] = [];

  private constructor(
    { database, portalEvents }: ExecutionTables,
    transaction: Transaction,
    claim: number | null,
    row: Row,
  ) {
    this.database = database;
    this.#portalEvents = portalEvents;
    this.transaction = transaction;
    this.claim = claim;
    this.row = row;
    this.id = text(row, 'id');
    this.workflowId = text(row, 'workflow_id');
  }

  /** Rejects with a LostClaimError. */
  static async lock(
    tables: ExecutionTables,
    transaction: Transaction,
    { executionId, claim }: Claim,
  ): Promise<LockedExecution> {
    const row = await transaction.get(
      `SELECT id, workflow_id, event_id, status, deaths, claims,
         (SELECT coalesce(max(sequence), 0) FROM node_logs WHERE execution_id = executions.id) AS sequence
       FROM executions WHERE id = ? ${tables.database.lockRows('executions')}`,
      executionId,
    );
    if (!row || (claim !== null && integer(row, 'claims') !== claim)) throw new LostClaimError();
    return new LockedExecution(tables, transaction, claim, row);
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
    insertNodeLogs(this.transaction, this.#logs, integer(this.row, 'sequence'));
    this.#portalEvents.publish(this.transaction, this.#events);
    if (this.#logs.length + this.#events.length > 0) this.announce();
  }
}
