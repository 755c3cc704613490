// An execution in the transaction that has locked it: its state, and the changes that are collected and written together.
import { stringifyJson } from '../../base/json.ts';
import { type ExecutionStatus, executionStatuses, hasEnded } from '../../domain/status.ts';
import type { ExecutionErrorJson } from '../../protocol/records.ts';
import { type ExecutionUse, insertionsOf, type LogEnd, type NewNodeLog, readLogEnd } from './nodeLogs.ts';
import type { Sql, SqlDatabase, SqlRow, SqlValue, Statement, Transaction } from './database.ts';
import { keepNewValue, keepValue } from './payloads.ts';
import type { PortalEventStore, PublishedEvent } from './portalEvents.ts';
import { integer, text, word } from './rows.ts';

/** The writer of an execution. */
export interface Claim {
  readonly executionId: string;
  /** The number of the claim; null for a caller that isn't a run. */
  readonly claim: number | null;
}

/** Another run has claimed the execution: nothing was written, and nothing more may be done for it. */
export class LostClaimError extends Error {
  override readonly name = 'LostClaimError';

  constructor() {
    super('Another run has claimed the execution.');
  }
}

/** What a transaction about an execution writes to. */
export interface ExecutionTables {
  readonly database: SqlDatabase;
  readonly portalEvents: PortalEventStore;
}

export type ExecutionOutcome =
  | { readonly status: 'completed'; /** JSON. */ readonly output: string }
  | { readonly status: 'failed'; readonly error: ExecutionErrorJson };

/** How often the process has crashed during an execution since a node run last ended, and what else shows whether the execution is the cause. */
export interface Suspicion {
  readonly crashCount: number;
  /** How often it was the only one that ran. */
  readonly soloCrashCount: number;
  /** How long it has run without a crash, in milliseconds. */
  readonly outlivedMs: number;
}

/** Whether an execution is the only one that runs in its process, or the id of the one that was until now. */
export interface RunningAs {
  readonly isAlone: boolean;
  readonly company: string | undefined;
}

/** Value of `is_under_way`: the execution is the only one that runs in its process. Otherwise it's 1 while it runs, else 0. */
export const alone = 2;
/** The stored state of an execution, as far as writing about it depends on it. */
export interface ExecutionState {
  readonly workflowId: string;
  readonly eventId: string;
  readonly status: ExecutionStatus;
  /** How often the process has crashed during it since a node run last ended. */
  readonly crashCount: number;
  readonly log: LogEnd;
}

export function toState(row: SqlRow, log: LogEnd): ExecutionState {
  return {
    workflowId: text(row, 'workflow_id'),
    eventId: text(row, 'event_id'),
    status: word(row, 'status', executionStatuses),
    crashCount: integer(row, 'deaths'),
    log,
  };
}

/**
 * Locks the execution and reads its state. The end of its log is read by a second statement, because one that waits for a lock doesn't see
 * what was committed meanwhile; both are sent at once. Rejects with a LostClaimError.
 */
export async function lockState(
  { database }: ExecutionTables,
  transaction: Transaction,
  { executionId, claim }: Claim,
): Promise<ExecutionState> {
  const [row, log] = await Promise.all([
    transaction.get(
      `SELECT workflow_id, event_id, status, deaths, claims
       FROM executions WHERE id = ? ${database.lockRows('executions')}`,
      executionId,
    ),
    readLogEnd(transaction, executionId),
  ]);
  if (!row || (claim !== null && integer(row, 'claims') !== claim)) throw new LostClaimError();
  return toState(row, log);
}

/** Locks an execution whose state is known without waiting; the transaction fails with an UnmetDemandError when the claim is lost. */
export function lockKnown(
  { database }: ExecutionTables,
  transaction: Transaction,
  { executionId, claim }: Claim,
): void {
  transaction.demand(
    `SELECT id FROM executions WHERE id = ? AND claims = ? ${database.lockRows('executions')}`,
    executionId,
    claim,
  );
}

/** Stores that an execution is no longer the only one that runs in its process. */
export function endSolitude(transaction: Transaction, executionId: string): void {
  transaction.write(
    `UPDATE executions SET is_under_way = 1 WHERE id = ? AND is_under_way = ${alone}`,
    executionId,
  );
}

export class LockedExecution {
  protected readonly database: SqlDatabase;
  protected readonly id: string;
  /** The number of the claim; null for a caller that isn't a run. */
  protected readonly claim: number | null;
  readonly #transaction: Transaction;
  readonly #portalEvents: PortalEventStore;
  /** By the rows that each changes. */
  readonly #changes = new Map<string, Statement>();
  readonly #logs: NewNodeLog[] = [];
  readonly #events: PublishedEvent[] = [];
  /** The stored forms of the large values of this transaction. */
  readonly #kept = new Map<string, string>();
  #state: ExecutionState;

  constructor(
    { database, portalEvents }: ExecutionTables,
    transaction: Transaction,
    { executionId, claim }: Claim,
    state: ExecutionState,
  ) {
    this.database = database;
    this.#portalEvents = portalEvents;
    this.#transaction = transaction;
    this.id = executionId;
    this.claim = claim;
    this.#state = state;
  }

  /** As it will be after the commit. */
  get state(): ExecutionState {
    return this.#state;
  }

  /** Sets a queued execution to running; from now on, crashes of the process count against it. Does nothing when it has ended. */
  start({ isAlone, company }: RunningAs, { crashCount, soloCrashCount }: Suspicion): void {
    if (this.hasEnded()) return;
    const wasQueued = this.#state.status === 'queued';
    if (wasQueued) this.#state = { ...this.#state, status: 'running' };
    this.#update(
      'deaths = ?, deaths_alone = ?, is_under_way = ?, status = ?, started_at = coalesce(started_at, ?)',
      crashCount,
      soloCrashCount,
      isAlone ? alone : 1,
      this.#state.status,
      wasQueued ? this.database.timestamp() : null,
    );
    if (company !== undefined) endSolitude(this.#transaction, company);
    if (wasQueued) this.publish(executionEvent('started', this.id, this.#state));
  }

  /** Publishes an event only when the status changes; does nothing when the execution has ended. Crashes aren't counted while it waits. */
  setStatus(status: 'running' | 'waiting'): void {
    if (this.hasEnded()) return;
    this.#update('status = ?, is_under_way = ?', status, Number(status === 'running'));
    if (this.#state.status === status) return;
    this.#state = { ...this.#state, status };
    if (status === 'waiting') this.#publishStatus();
    else this.#announce();
  }

  /** Ends the execution, and with it its lease. Does nothing when it has ended. */
  finish(outcome: ExecutionOutcome): void {
    if (this.hasEnded()) return;
    this.#update(
      'status = ?, output = ?, error = ?, completed_at = ?, is_under_way = 0',
      outcome.status,
      outcome.status === 'completed' ? keepValue(this.#transaction, this.id, outcome.output) : null,
      outcome.status === 'failed' ? stringifyJson(outcome.error) : null,
      this.database.timestamp(),
    );
    this.#state = { ...this.#state, status: outcome.status };
    this.#publishStatus();
  }

  /** Writes what was collected. */
  async flush(): Promise<void> {
    const { insertions, end } = insertionsOf(this.#logs, this.#state.log);
    this.#state = { ...this.#state, log: end };
    await this.#portalEvents.publish(this.#transaction, this.#events, [
      ...this.#takeChanges(),
      ...insertions,
    ]);
    if (this.#logs.length + this.#events.length > 0) this.#announce();
  }

  /** Ends the execution as cancelled, and takes it from its run, which can't write anything any more. */
  protected endCancelled(): void {
    this.#update(
      `status = 'cancelled', completed_at = ?, is_under_way = 0, claims = claims + 1`,
      this.database.timestamp(),
    );
    this.#state = { ...this.#state, status: 'cancelled' };
    this.#publishStatus();
    this.#transaction.announce(`cancelled:${this.id}`);
  }

  /** The execution is no longer suspected of crashing the process. */
  protected clearSuspicion(): void {
    if (this.#state.crashCount === 0) return;
    this.#update('deaths = 0, deaths_alone = 0, outlived_ms = 0');
    this.#state = { ...this.#state, crashCount: 0 };
  }

  protected hasEnded(): boolean {
    return hasEnded(this.#state.status);
  }

  /** For reads: they see the changes that were collected. */
  protected get sql(): Sql {
    this.#transaction.writeTogether(this.#takeChanges());
    return this.#transaction;
  }

  /** Changes rows with the next write, by a statement that reads no others. A second change of the same rows follows the first. */
  protected change(rows: string, sql: string, ...values: readonly SqlValue[]): void {
    if (this.#changes.has(rows)) this.#transaction.writeTogether(this.#takeChanges());
    this.#changes.set(rows, { sql, values });
  }

  protected log(row: Omit<NewNodeLog, 'timestamp'>): void {
    this.#logs.push({ ...row, timestamp: this.database.timestamp() });
  }

  protected publish(event: PublishedEvent): void {
    this.#events.push(event);
  }

  /** Stores a JSON text and returns its stored form. */
  protected async keep(value: string): Promise<string> {
    const known = this.#kept.get(value);
    if (known !== undefined) return known;
    const { stored, bytes } = await keepNewValue(this.#transaction, this.id, value);
    this.#add({ iterations: 0, bytes });
    if (stored !== value) this.#kept.set(value, stored);
    return stored;
  }

  protected get use(): ExecutionUse {
    return this.#state.log.use;
  }

  /** Counts the iterations of a loop; the next log row keeps the count. */
  protected countIterations(count: number): void {
    this.#add({ iterations: count, bytes: 0 });
  }

  /** Changes the execution's own row. */
  #update(assignments: string, ...values: readonly SqlValue[]): void {
    this.change('execution', `UPDATE executions SET ${assignments} WHERE id = ?`, ...values, this.id);
  }

  #takeChanges(): readonly Statement[] {
    const changes = [...this.#changes.values()];
    this.#changes.clear();
    return changes;
  }

  #publishStatus(): void {
    this.publish(executionEvent(this.#state.status, this.id, this.#state));
  }

  /** Announces that there is something new to read about the execution. */
  #announce(): void {
    this.#transaction.announce(`execution:${this.id}`);
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
  executionId: string,
  { workflowId, eventId, status }: Pick<ExecutionState, 'workflowId' | 'eventId' | 'status'>,
): PublishedEvent {
  return { type: `execution.${kind}`, data: { workflowId, executionId, eventId, status } };
}
