// An execution in the transaction that has locked it. Its node log rows and portal events are collected, and inserted together.
import { type ExecutionStatus, executionStatuses } from '../../domain/status.ts';
import { type ExecutionUse, insertNodeLogs, type LogEnd, type NewNodeLog, readLogEnd } from './nodeLogs.ts';
import type { SqlRow, SqlDatabase, SqlValue, Transaction } from './database.ts';
import { keepNewValue } from './payloads.ts';
import type { PortalEventStore, PublishedEvent } from './portalEvents.ts';
import { integer, text, word } from './rows.ts';

/** The writer of an execution. */
export interface Claim {
  readonly executionId: string;
  /** The number of the take; null for a caller that isn't a run. */
  readonly claim: number | null;
}

/** Another run has taken the execution: nothing was written, and nothing more may be done for it. */
export class LostClaimError extends Error {
  override readonly name = 'LostClaimError';

  constructor() {
    super('Another run has taken the execution.');
  }
}

/** What a transaction about an execution writes to. */
export interface ExecutionTables {
  readonly database: SqlDatabase;
  readonly portalEvents: PortalEventStore;
}

/** The stored state of an execution, as far as writing about it depends on it. */
export interface ExecutionState {
  readonly workflowId: string;
  readonly eventId: string;
  readonly status: ExecutionStatus;
  /** How often the process has crashed during it since a node run last ended. */
  readonly crashCount: number;
  readonly log: LogEnd;
}

/**
 * Locks the execution with the statement, which returns its row, and reads the end of its log with a second one: a statement that waits for
 * a lock doesn't see what was committed meanwhile. Both are sent at once.
 */
export async function lockState(
  transaction: Transaction,
  executionId: string,
  sql: string,
  ...values: SqlValue[]
): Promise<{ readonly row: SqlRow; readonly state: ExecutionState } | undefined> {
  const [row, log] = await Promise.all([
    transaction.get(sql, ...values),
    readLogEnd(transaction, executionId),
  ]);
  if (!row) return undefined;
  const state = {
    workflowId: text(row, 'workflow_id'),
    eventId: text(row, 'event_id'),
    status: word(row, 'status', executionStatuses),
    crashCount: integer(row, 'deaths'),
    log,
  };
  return { row, state };
}

export class LockedExecution {
  readonly database: SqlDatabase;
  readonly transaction: Transaction;
  readonly id: string;
  /** The number of the take; null for a caller that isn't a run. */
  readonly claim: number | null;
  readonly #portalEvents: PortalEventStore;
  readonly #logs: NewNodeLog[] = [];
  readonly #events: PublishedEvent[] = [];
  /** The stored forms of the large values of this transaction. */
  readonly #kept = new Map<string, string>();
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

  update(changes: Partial<Pick<ExecutionState, 'status' | 'crashCount'>>): void {
    this.#state = { ...this.#state, ...changes };
  }

  log(row: NewNodeLog): void {
    this.#logs.push(row);
  }

  publish(event: PublishedEvent): void {
    this.#events.push(event);
  }

  /** Stores a JSON text and returns its stored form. */
  async keep(value: string): Promise<string> {
    const known = this.#kept.get(value);
    if (known !== undefined) return known;
    const { stored, bytes } = await keepNewValue(this.transaction, this.id, value);
    this.#add({ iterations: 0, bytes });
    if (stored !== value) this.#kept.set(value, stored);
    return stored;
  }

  get use(): ExecutionUse {
    return this.#state.log.use;
  }

  /** Counts the iterations of a loop; the next log row keeps the count. */
  countIterations(count: number): void {
    this.#add({ iterations: count, bytes: 0 });
  }

  /** Announces that there is something new to read about the execution. */
  announce(): void {
    this.transaction.announce(`execution:${this.id}`);
  }

  /** Inserts what was collected. */
  async flush(): Promise<void> {
    const log = insertNodeLogs(this.transaction, this.#logs, this.#state.log);
    this.#state = { ...this.#state, log };
    await this.#portalEvents.publish(this.transaction, this.#events);
    if (this.#logs.length + this.#events.length > 0) this.announce();
  }

  #add({ iterations, bytes }: ExecutionUse): void {
    const { sequence, use } = this.#state.log;
    const more = { iterations: use.iterations + iterations, bytes: use.bytes + bytes };
    this.#state = { ...this.#state, log: { sequence, use: more } };
  }
}

/** Returns the portal event `execution.KIND`. */
export function executionEvent(
  kind: string,
  execution: {
    readonly workflowId: string;
    readonly executionId: string;
    readonly eventId: string;
    readonly status: ExecutionStatus;
  },
): PublishedEvent {
  return { type: `execution.${kind}`, data: { ...execution } };
}
