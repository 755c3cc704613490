import { type ExecutionKind, type ExecutionStatus, executionStatuses } from '../../domain/status.ts';
import type {
  ExecutionDefinitionJson,
  ExecutionJson,
  ExecutionSummaryJson,
  OutputJson,
} from '../../protocol/records.ts';
import type { JsonText } from '../jsonText.ts';
import type { ExecutionWriter } from './executionWriter.ts';
import {
  type Claim,
  executionEvent,
  type ExecutionTables,
  lockState,
  LostClaimError,
} from './lockedExecution.ts';
import {
  hasEnded,
  isUnfinished,
  summaryColumns,
  toError,
  toSummary,
  toUnfinished,
  toWork,
  type UnfinishedExecution,
} from './executionRows.ts';
import { type NewExecution, triggerExecution, type TriggerResult } from './newExecution.ts';
import { pruneExecutions, type Pruning } from './prune.ts';
import {
  integer,
  jsonObject,
  nullableInteger,
  nullableText,
  type PageQuery,
  readPage,
  type StorePage,
  text,
  word,
} from './rows.ts';
import { TakenExecution, writeExecution } from './takenExecution.ts';
import type { SqlDatabase } from './database.ts';
import { isPending, runsTable } from './engineRuns.ts';
import { knownLevel } from './needs.ts';
import { wholeValue } from './payloads.ts';
import { toDefinition } from './workflows.ts';
import { boundsOfStarts, type StartTimes } from './startTimes.ts';

export interface ExecutionQuery extends PageQuery, StartTimes {
  readonly workflowId?: string | undefined;
  readonly status?: ExecutionStatus | undefined;
  readonly kind?: ExecutionKind | undefined;
  readonly eventId?: string | undefined;
}

/** An execution whose input is JSON text. */
export type StoredExecution = Omit<ExecutionJson, 'input'> & { readonly input: JsonText };
/** An output that is JSON text. */
export type StoredOutput = Omit<OutputJson, 'output'> & { readonly output: JsonText };

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

/** Value of `is_under_way`: the execution is the only one that runs in its process. Otherwise it's 1 while a run has it, else 0. */
const alone = 2;

/** Stores executions. Each change of status publishes its portal event exactly once. */
export class ExecutionStore {
  readonly #database: SqlDatabase;
  readonly #tables: ExecutionTables;

  constructor(tables: ExecutionTables) {
    this.#database = tables.database;
    this.#tables = tables;
  }

  /** Rejects with a SourceGoneError. */
  trigger(execution: NewExecution): Promise<TriggerResult> {
    return triggerExecution(this.#tables, execution);
  }

  async get(id: string): Promise<StoredExecution | undefined> {
    const row = await this.#database.get(`SELECT ${summaryColumns}, input FROM executions WHERE id = ?`, id);
    return row && { ...toSummary(row), input: await wholeValue(this.#database, id, row, 'input') };
  }

  async getStatus(id: string): Promise<ExecutionStatus | undefined> {
    const row = await this.#database.get('SELECT status FROM executions WHERE id = ?', id);
    return row && word(row, 'status', executionStatuses);
  }

  async getOutput(id: string): Promise<StoredOutput | undefined> {
    const row = await this.#database.get('SELECT id, status, output, error FROM executions WHERE id = ?', id);
    return (
      row && {
        executionId: text(row, 'id'),
        status: word(row, 'status', executionStatuses),
        output: await wholeValue(this.#database, id, row, 'output'),
        error: toError(row),
      }
    );
  }

  /** Returns undefined when there's no such execution, or an earlier version of the service stored none for it. */
  async getDefinition(id: string): Promise<ExecutionDefinitionJson | undefined> {
    const row = await this.#database.get(
      `SELECT workflow_id, definition_version, definition
         FROM executions JOIN definitions ON hash = definition_hash WHERE id = ?`,
      id,
    );
    return (
      row && {
        workflowId: text(row, 'workflow_id'),
        version: nullableInteger(row, 'definition_version'),
        ...toDefinition(jsonObject(row, 'definition')),
      }
    );
  }

  /** Newest first. */
  async list(query: ExecutionQuery): Promise<StorePage<ExecutionSummaryJson>> {
    return readPage(
      this.#database,
      `SELECT ${summaryColumns} FROM executions`,
      [
        ['workflow_id = ?', query.workflowId],
        ['status = ?', query.status],
        ['kind = ?', query.kind],
        ['event_id = ?', query.eventId],
        ['started_at > ?', query.startedAfter],
        ['started_at < ?', query.startedBefore],
        ...(await boundsOfStarts(this.#database, query)),
      ],
      query,
      toSummary,
    );
  }

  /** Stores all that the work writes, or nothing. Rejects with a LostClaimError. */
  async write<T>(claim: Claim, work: (writer: ExecutionWriter) => T | Promise<T>): Promise<T> {
    return (await writeExecution(this.#tables, claim, undefined, work)).result;
  }

  /**
   * Takes the execution for an engine run, and sets a queued one to running; undefined when it has ended or belongs to another run. The run
   * keeps it until it's handed over, so that no two runs work on it. `admit` decides how it may run; if it returns undefined, the execution
   * isn't taken, and the suspicion is returned. An execution that needs more than `level` isn't taken.
   */
  take(
    id: string,
    runId: string,
    admit: (suspicion: Suspicion) => RunningAs | undefined,
    level = knownLevel,
  ): Promise<TakenExecution | Suspicion | undefined> {
    const { portalEvents } = this.#tables;
    return this.#database.transaction(async (transaction) => {
      const locked = await lockState(
        transaction,
        id,
        `SELECT id, workflow_id, event_id, status, created_at, started_at, deaths + CASE WHEN is_under_way > 0 THEN 1 ELSE 0 END AS deaths,
           deaths_alone + CASE WHEN is_under_way = ${alone} THEN 1 ELSE 0 END AS deaths_alone, outlived_ms, claims + 1 AS claims,
           input, retry_of, based_on, plan, is_input_masked,
           (SELECT definition FROM definitions WHERE hash = definition_hash) AS definition
         FROM executions WHERE id = ? AND coalesce(run_id, ?) = ? AND needs <= ? AND NOT ${hasEnded} ${this.#database.lockRows('executions')}`,
        id,
        runId,
        runId,
        level,
      );
      if (!locked) return undefined;
      const { row } = locked;
      const suspicion = {
        crashCount: integer(row, 'deaths'),
        soloCrashCount: integer(row, 'deaths_alone'),
        outlivedMs: integer(row, 'outlived_ms'),
      };
      const running = admit(suspicion);
      if (!running) return suspicion;
      const work = await toWork(transaction, id, row);
      const state = { ...locked.state, status: work.status };
      const isQueued = work.queuedSince !== null;
      transaction.write(
        `UPDATE executions SET run_id = ?, claims = ?, deaths = ?, deaths_alone = ?, is_under_way = ?, status = ?, started_at = ? WHERE id = ?`,
        runId,
        work.claim,
        suspicion.crashCount,
        suspicion.soloCrashCount,
        running.isAlone ? alone : 1,
        work.status,
        nullableText(row, 'started_at') ?? (isQueued ? this.#database.timestamp() : null),
        id,
      );
      if (running.company !== undefined)
        transaction.write(
          `UPDATE executions SET is_under_way = 1 WHERE id = ? AND is_under_way = ${alone}`,
          running.company,
        );
      if (isQueued) {
        const { workflowId, eventId, status } = state;
        const event = { workflowId, executionId: id, eventId, status };
        await portalEvents.publish(transaction, [executionEvent('started', event)]);
        transaction.announce(`execution:${id}`);
      }
      return new TakenExecution(this.#tables, { executionId: id, claim: work.claim }, work, state);
    });
  }

  /** Stores that a suspect has run for this many milliseconds without a crash of the process. */
  async outlive(id: string, ms: number): Promise<void> {
    await this.#database.run('UPDATE executions SET outlived_ms = ? WHERE id = ?', ms, id);
  }

  /**
   * Releases the execution for the next run; undefined when it has ended or another run has it. A claim without a number releases it from
   * any run.
   */
  async handOver({ executionId, claim }: Claim): Promise<UnfinishedExecution | undefined> {
    const row = await this.#database.get(
      `UPDATE executions SET run_id = NULL, handovers = handovers + 1 ${claim === null ? '' : ', is_under_way = 0'}
       WHERE id = ? ${claim === null ? '' : 'AND claims = ?'} AND NOT ${hasEnded}
       RETURNING id, queue, handovers, definition_hash`,
      ...(claim === null ? [executionId] : [executionId, claim]),
    );
    return row && toUnfinished(row);
  }

  /** Cancels the execution, whichever run works on it. No node of it starts afterwards, in any process. */
  async cancel(id: string): Promise<'cancelled' | 'ended' | 'missing'> {
    try {
      const isCancelled = await this.write({ executionId: id, claim: null }, (execution) =>
        execution.cancel(),
      );
      return isCancelled ? 'cancelled' : 'ended';
    } catch (error) {
      if (error instanceof LostClaimError) return 'missing';
      throw error;
    }
  }

  /** Returns since when the oldest queued execution has waited, in epoch milliseconds; null when none waits. */
  async queuedSince(): Promise<number | null> {
    const row = await this.#database.get(
      `SELECT created_at FROM executions WHERE status = 'queued' ORDER BY position LIMIT 1`,
    );
    return row ? Date.parse(text(row, 'created_at')) : null;
  }

  /** Deletes the oldest ended executions over the limits with all their data; returns how many it processed. A long log takes several calls. */
  prune(pruning: Pruning): Promise<number> {
    return pruneExecutions(this.#database, pruning);
  }

  /** Returns unfinished executions that no run of the engine is going to continue, oldest first; none that needs more than `level`. */
  async listAbandoned(limit: number, level = knownLevel): Promise<readonly UnfinishedExecution[]> {
    if (!(await this.#database.hasTable(this.#database, runsTable))) return [];
    const rows = await this.#database.all(
      `SELECT id, queue, handovers, definition_hash FROM executions
       WHERE ${isUnfinished} AND needs <= ?
         AND NOT EXISTS (SELECT 1 FROM workflow_runs WHERE ${isPending} AND workflow_runs.id = executions.run_id)
         AND NOT EXISTS (SELECT 1 FROM workflow_runs WHERE ${isPending}
           AND idempotency_key = executions.id || '/' || executions.handovers)
       ORDER BY position LIMIT ?`,
      level,
      limit,
    );
    return rows.map(toUnfinished);
  }
}
