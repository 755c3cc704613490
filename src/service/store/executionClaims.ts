// Which executions a process runs next. A claim leases an execution to the process until the execution ends, is handed over, or the lease
// expires; its number is in the execution's row, and every write of the run demands it.
import { randomUUID } from 'node:crypto';
import type { Sql, SqlRow, Statement, Transaction } from './database.ts';
import { type ExecutionWork, toWork } from './executionRows.ts';
import { type ExecutionWriter, writeExecution } from './executionWriter.ts';
import {
  alone,
  type Claim,
  endSolitude,
  executionEvent,
  type ExecutionState,
  type ExecutionTables,
  type RunningAs,
  type Suspicion,
  toState,
} from './lockedExecution.ts';
import { emptyLog, type LogEnd, readLogEnd } from './nodeLogs.ts';
import { inBatches, integer, isOneOf, nullableText, text } from './rows.ts';

/** Decides how a claimed execution may run; undefined if it has to wait. */
export type Admit = (executionId: string, suspicion: Suspicion) => RunningAs | undefined;

/** How many executions to claim, by the name of their queue. */
export type Wanted = ReadonlyMap<string, number>;

/** The condition of the index `executions_claim`. */
const isUnended = 'completed_at IS NULL';
const crashes = 'deaths + CASE WHEN is_under_way > 0 THEN 1 ELSE 0 END';
const soloCrashes = `deaths_alone + CASE WHEN is_under_way = ${alone} THEN 1 ELSE 0 END`;
/** The values are the id of the one that's alone, and the time. */
const running = `deaths = ${crashes}, deaths_alone = ${soloCrashes}, is_under_way = CASE WHEN id = ? THEN ${alone} ELSE 1 END,
  started_at = CASE WHEN status = 'queued' THEN coalesce(started_at, ?) ELSE started_at END,
  status = CASE WHEN status = 'queued' THEN 'running' ELSE status END`;

export class ExecutionClaims {
  readonly #tables: ExecutionTables;
  /** The process in the rows of its executions. */
  readonly #workerId = randomUUID();

  constructor(tables: ExecutionTables) {
    this.#tables = tables;
  }

  /** How long a lease lasts unless it's renewed, in milliseconds. */
  get leaseMs(): number {
    return this.#tables.database.leaseMs;
  }

  /**
   * Returns the names of the queues that have a claimable execution, ordered by when it became claimable, and how many have unfinished ones.
   * Steps through the index from queue to queue, so its cost grows with the queues, not with the executions.
   */
  async listQueues(): Promise<{ readonly names: readonly string[]; readonly total: number }> {
    const { database } = this.#tables;
    const next = (condition: string): string =>
      `(SELECT queue FROM executions WHERE ${isUnended} ${condition} ORDER BY queue LIMIT 1)`;
    const rows = await database.poll(
      `WITH RECURSIVE queues (name) AS (
         SELECT ${next('')}
         UNION ALL SELECT ${next('AND queue > queues.name')} FROM queues WHERE queues.name IS NOT NULL)
       SELECT total, name FROM (SELECT count(name) AS total FROM queues) AS counted LEFT JOIN (SELECT name,
         (SELECT available_at FROM executions WHERE ${isUnended} AND queue = queues.name AND available_at <= ${database.clock}
          ORDER BY available_at LIMIT 1) AS since
         FROM queues WHERE name IS NOT NULL) AS found ON since IS NOT NULL
       ORDER BY since`,
    );
    const [first] = rows;
    const names = rows.flatMap((row) => nullableText(row, 'name') ?? []);
    return { names, total: first ? integer(first, 'total') : 0 };
  }

  /**
   * Claims executions, and begins those that are admitted: their status changes from queued to running, and a crash of the process counts
   * against them. None needs more than `level`.
   */
  async claim(wanted: Wanted, level: number, admit: Admit): Promise<readonly ClaimedExecution[]> {
    const { database } = this.#tables;
    return database.transaction(async (transaction) => {
      const found = await Promise.all(
        Array.from(wanted, ([queue, count]) =>
          transaction.all(
            `SELECT id, queue, workflow_id, event_id, status, created_at, ${crashes} AS deaths, ${soloCrashes} AS deaths_alone,
               outlived_ms, claims + 1 AS claims, input, retry_of, based_on, plan, is_input_masked,
               (SELECT definition FROM definitions WHERE hash = definition_hash) AS definition
             FROM executions WHERE queue = ? AND ${isUnended} AND available_at <= ${database.clock} AND needs <= ?
             ORDER BY available_at, position LIMIT ? ${database.lockFreeRows('executions')}`,
            queue,
            level,
            count,
          ),
        ),
      );
      return this.#lease(transaction, found.flat(), admit);
    });
  }

  async #lease(
    transaction: Transaction,
    rows: readonly SqlRow[],
    admit: Admit,
  ): Promise<readonly ClaimedExecution[]> {
    const { database, portalEvents } = this.#tables;
    const ends = Promise.all(rows.map((row) => endOfLog(transaction, row)));
    const admissions = rows.map((row) => admit(text(row, 'id'), suspicionOf(row)));
    const idsWhere = (hasBegun: boolean) =>
      rows
        .filter((_row, index) => (admissions[index] !== undefined) === hasBegun)
        .map((row) => text(row, 'id'));
    const begun = new Set(idsWhere(true));
    const company = new Set(admissions.flatMap((admission) => admission?.company ?? []));
    const first = rows.find((_row, index) => admissions[index]?.isAlone === true)?.['id'];
    const sole = typeof first === 'string' && !company.has(first) ? first : '';
    const lease = `worker_id = ?, available_at = ${database.clock} + CAST(? AS BIGINT), claims = claims + 1`;
    const leased = [this.#workerId, database.leaseMs];
    const writes: Statement[] = [
      ...inBatches([...begun]).map((ids) => ({
        sql: `UPDATE executions SET ${lease}, ${running} WHERE ${isOneOf(ids)}`,
        values: [...leased, sole, database.timestamp(), ...ids],
      })),
      ...inBatches(idsWhere(false)).map((ids) => ({
        sql: `UPDATE executions SET ${lease} WHERE ${isOneOf(ids)}`,
        values: [...leased, ...ids],
      })),
    ];
    for (const id of company) if (!begun.has(id)) endSolitude(transaction, id);
    const logs = await ends;
    const claimed = rows.map(
      (row, index) =>
        new ClaimedExecution(this.#tables, row, logs[index] ?? emptyLog, admissions[index] !== undefined),
    );
    const started = claimed.filter(({ hasBegun, wasQueued }) => hasBegun && wasQueued);
    const events = started.map(({ id, state }) => executionEvent('started', id, state));
    await portalEvents.publish(transaction, events, writes);
    for (const { id } of started) transaction.announce(`execution:${id}`);
    return claimed;
  }

  /** Renews the leases of these executions, as far as no other process has claimed them. */
  async renew(executionIds: readonly string[]): Promise<void> {
    const { database } = this.#tables;
    await database.transaction((transaction) => {
      for (const ids of inBatches(executionIds))
        transaction.write(
          `UPDATE executions SET available_at = ${database.clock} + CAST(? AS BIGINT)
           WHERE ${isOneOf(ids)} AND worker_id = ? AND ${isUnended}`,
          database.leaseMs,
          ...ids,
          this.#workerId,
        );
      return Promise.resolve();
    });
  }

  /**
   * Ends the leases that this process has of other executions than these: their claim was stored although its response was lost. They
   * never ran, so this isn't a crash.
   */
  async releaseOthers(executionIds: readonly string[]): Promise<void> {
    const { database } = this.#tables;
    const held = new Set(executionIds);
    const rows = await database.all(
      `SELECT id FROM executions WHERE worker_id = ? AND ${isUnended}`,
      this.#workerId,
    );
    for (const id of rows.map((row) => text(row, 'id')))
      if (!held.has(id))
        await release(database, ', is_under_way = 0', 'id = ? AND worker_id = ?', id, this.#workerId);
  }

  /** Ends all leases of all processes. What was queued before the clock was set back is claimable too. */
  async releaseAll(): Promise<void> {
    const { database } = this.#tables;
    const isLate = `status = 'queued' AND available_at > ${database.clock}`;
    await release(database, '', `(worker_id IS NOT NULL OR ${isLate})`);
  }
}

/** An execution that no run has begun has no log. */
async function endOfLog(transaction: Transaction, row: SqlRow): Promise<LogEnd> {
  return row['status'] === 'queued' ? emptyLog : readLogEnd(transaction, text(row, 'id'));
}

async function release(
  sql: Sql,
  change: string,
  condition: string,
  ...values: readonly string[]
): Promise<void> {
  await sql.run(
    `UPDATE executions SET worker_id = NULL, available_at = 0${change} WHERE ${isUnended} AND ${condition}`,
    ...values,
  );
}

/** An execution that this process has claimed. Only its run writes about it, so its state needn't be read again for each write. */
export class ClaimedExecution {
  readonly id: string;
  readonly claim: Claim;
  readonly suspicion: Suspicion;
  /** Whether no run has begun it before. */
  readonly wasQueued: boolean;
  /** The name of its queue. */
  readonly queue: string;
  readonly #tables: ExecutionTables;
  readonly #row: SqlRow;
  #hasBegun: boolean;
  #state: ExecutionState;
  /** False when a write has failed: it may be stored all the same. */
  #isStateKnown = true;

  constructor(tables: ExecutionTables, row: SqlRow, log: LogEnd, hasBegun: boolean) {
    this.#tables = tables;
    this.#row = row;
    this.#hasBegun = hasBegun;
    this.id = text(row, 'id');
    this.claim = { executionId: this.id, claim: integer(row, 'claims') };
    this.queue = text(row, 'queue');
    this.wasQueued = row['status'] === 'queued';
    this.suspicion = suspicionOf(row);
    const state = toState(row, log);
    this.#state = hasBegun && this.wasQueued ? { ...state, status: 'running' } : state;
  }

  /** As it was after the last write. */
  get state(): ExecutionState {
    return this.#state;
  }

  /** Whether it was admitted, and runs. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  /** Whether the execution was under way when the process last crashed, and hasn't got past that point. */
  get isSuspect(): boolean {
    return !this.#isStateKnown || (this.#state.crashCount > 0 && this.#state.status === 'running');
  }

  /** False for executions of the first version that never began. */
  get hasDefinition(): boolean {
    return this.#row['definition'] !== null;
  }

  /** Reads what is to be run. */
  readWork(): Promise<ExecutionWork> {
    return toWork(this.#tables.database, this.id, this.#row);
  }

  /** Begins an execution that had to wait until it was admitted. Rejects with a LostClaimError. */
  async begin(admission: RunningAs): Promise<void> {
    await this.write((execution) => execution.start(admission, this.suspicion));
    this.#hasBegun = true;
  }

  /**
   * Stores all that the work writes, or nothing. Rejects with a LostClaimError, also after the work. It can be repeated after a rejection:
   * what was stored although the response was lost isn't stored twice.
   */
  async write<T>(work: (writer: ExecutionWriter) => T | Promise<T>): Promise<T> {
    const last = { state: this.#state, isNewest: this.#isStateKnown };
    this.#isStateKnown = false;
    const { result, state } = await writeExecution(this.#tables, this.claim, last, work);
    this.#state = state;
    this.#isStateKnown = true;
    return result;
  }

  /** Ends the lease: the execution can be claimed in this many milliseconds. Returns false when it has ended or another run has it. */
  async handOver(milliseconds: number): Promise<boolean> {
    const { database } = this.#tables;
    const changes = await database.run(
      `UPDATE executions SET worker_id = NULL, available_at = ${database.clock} + CAST(? AS BIGINT)${this.#hasBegun ? ', is_under_way = 0' : ''}
       WHERE id = ? AND claims = ? AND ${isUnended}`,
      milliseconds,
      this.id,
      this.claim.claim,
    );
    return changes > 0;
  }
}

function suspicionOf(row: SqlRow): Suspicion {
  return {
    crashCount: integer(row, 'deaths'),
    soloCrashCount: integer(row, 'deaths_alone'),
    outlivedMs: integer(row, 'outlived_ms'),
  };
}
