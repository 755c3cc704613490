import { type ExecutionKind, type ExecutionStatus, executionStatuses } from '../../domain/status.ts';
import type {
  ExecutionDefinitionJson,
  ExecutionJson,
  ExecutionSummaryJson,
  OutputJson,
} from '../../protocol/records.ts';
import type { JsonText } from '../jsonText.ts';
import { ExecutionClaims } from './executionClaims.ts';
import { type ExecutionWriter, writeExecution } from './executionWriter.ts';
import { type Claim, type ExecutionTables, LostClaimError } from './lockedExecution.ts';
import { summaryColumns, toError, toSummary } from './executionRows.ts';
import { type NewExecution, triggerExecution, type TriggerResult } from './newExecution.ts';
import { pruneExecutions, type Pruning } from './prune.ts';
import type { SearchIndex } from './search/searchIndex.ts';
import { type ExecutionSearch, ExecutionSearches } from './search/searchExecutions.ts';
import {
  type Condition,
  inBatches,
  isOneOf,
  jsonObject,
  nullableInteger,
  type PageQuery,
  readPage,
  type StorePage,
  text,
  word,
} from './rows.ts';
import type { SqlDatabase } from './database.ts';
import { readWithValues, wholeValue } from './payloads.ts';
import { toDefinition } from './workflows.ts';
import { boundsOfStarts, type StartTimes } from './startTimes.ts';

export interface ExecutionQuery extends PageQuery, StartTimes {
  readonly workflowId?: string | undefined;
  readonly status?: ExecutionStatus | undefined;
  readonly kind?: ExecutionKind | undefined;
  readonly eventId?: string | undefined;
  /** Default: none. */
  readonly search?: ExecutionSearch | undefined;
}

/** An execution whose input is JSON text. */
export type StoredExecution = Omit<ExecutionJson, 'input'> & { readonly input: JsonText };
/** An output that is JSON text. */
export type StoredOutput = Omit<OutputJson, 'output'> & { readonly output: JsonText };

/** Stores executions. Each change of status publishes its portal event exactly once. */
export class ExecutionStore {
  readonly claims: ExecutionClaims;
  readonly #database: SqlDatabase;
  readonly #tables: ExecutionTables;
  readonly #searches: ExecutionSearches;

  constructor(tables: ExecutionTables, index: SearchIndex) {
    this.claims = new ExecutionClaims(tables);
    this.#database = tables.database;
    this.#tables = tables;
    this.#searches = new ExecutionSearches(tables.database, index);
  }

  /** Rejects with a SourceGoneError. */
  trigger(execution: NewExecution): Promise<TriggerResult> {
    return triggerExecution(this.#tables, execution);
  }

  get(id: string): Promise<StoredExecution | undefined> {
    return readWithValues(async () => {
      const row = await this.#database.get(
        `SELECT ${summaryColumns}, input FROM executions WHERE id = ?`,
        id,
      );
      return row && { ...toSummary(row), input: await wholeValue(this.#database, id, row, 'input') };
    });
  }

  async getStatus(id: string): Promise<ExecutionStatus | undefined> {
    const row = await this.#database.get('SELECT status FROM executions WHERE id = ?', id);
    return row && word(row, 'status', executionStatuses);
  }

  /** Returns those of the executions that are cancelled. */
  async listCancelled(ids: readonly string[]): Promise<readonly string[]> {
    const batches = await Promise.all(
      inBatches(ids).map((some) =>
        this.#database.all(
          `SELECT id FROM executions WHERE ${isOneOf(some)} AND status = 'cancelled'`,
          ...some,
        ),
      ),
    );
    return batches.flat().map((row) => text(row, 'id'));
  }

  getOutput(id: string): Promise<StoredOutput | undefined> {
    const columns = 'id, status, output, error';
    return readWithValues(async () => {
      const row = await this.#database.get(`SELECT ${columns} FROM executions WHERE id = ?`, id);
      return (
        row && {
          executionId: text(row, 'id'),
          status: word(row, 'status', executionStatuses),
          output: await wholeValue(this.#database, id, row, 'output'),
          error: toError(row),
        }
      );
    });
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

  /** Newest first. A page of a search can be short, and have more after it. */
  async list(query: ExecutionQuery): Promise<StorePage<ExecutionSummaryJson>> {
    const conditions: readonly Condition[] = [
      ['workflow_id = ?', query.workflowId],
      ['status = ?', query.status],
      ['kind = ?', query.kind],
      ['event_id = ?', query.eventId],
      ['started_at > ?', query.startedAfter],
      ['started_at < ?', query.startedBefore],
      ...(await boundsOfStarts(this.#database, query)),
    ];
    if (query.search) return this.#searches.readPage(query.search, conditions, query);
    return readPage(this.#database, `SELECT ${summaryColumns} FROM executions`, conditions, query, toSummary);
  }

  /** Stores all that the work writes, or nothing. Rejects with a LostClaimError. */
  async write<T>(claim: Claim, work: (writer: ExecutionWriter) => T | Promise<T>): Promise<T> {
    return (await writeExecution(this.#tables, claim, undefined, work)).result;
  }

  /** Stores that a suspect has run for this many milliseconds without a crash of the process. */
  async outlive(id: string, ms: number): Promise<void> {
    await this.#database.run('UPDATE executions SET outlived_ms = ? WHERE id = ?', ms, id);
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
}
