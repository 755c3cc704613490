// Why: executions in SQLite; a status and its portal event change together or not at all.
import * as v from 'valibot';
import { ExecutionErrorSchema, executionStatuses } from '../../../protocol/records.ts';
import type {
  Execution,
  ExecutionError,
  ExecutionStatus,
  ExecutionSummary,
  Output,
} from '../../../protocol/records.ts';
import { toTimestamp } from '../../clock.ts';
import { createId } from '../../ids.ts';
import type {
  ExecutionOutcome,
  ExecutionQuery,
  ExecutionStore,
  NewExecution,
  Pruning,
  TriggerResult,
  UnfinishedExecution,
} from '../executions.ts';
import type { StorePage } from '../store.ts';
import { readPage } from './conditions.ts';
import type { Row, SqliteDatabase } from './database.ts';
import type { Publish } from './portalEvents.ts';
import { pruneExecutions } from './prune.ts';
import { json, nullableJson, nullableText, text, word } from './rows.ts';

const summaryColumns =
  'position, id, workflow_id, event_id, status, cause, created_at, started_at, completed_at, error';
const idempotencyMs = 24 * 60 * 60 * 1000;
const hasEnded = `status IN ('completed', 'failed', 'cancelled')`;

export class SqliteExecutionStore implements ExecutionStore {
  readonly #database: SqliteDatabase;
  readonly #publish: Publish;

  constructor(database: SqliteDatabase, publish: Publish) {
    this.#database = database;
    this.#publish = publish;
  }

  trigger(execution: NewExecution): Promise<TriggerResult> {
    return Promise.resolve(
      this.#database.transaction(() => {
        const earlier = execution.idempotency && this.#findRepeated(execution.idempotency);
        if (earlier) return earlier;
        const id = this.#insert(execution);
        if (execution.idempotency) this.#remember(execution.idempotency, id);
        return { kind: 'created', execution: this.#read(id) };
      }),
    );
  }

  attachRun(id: string, runId: string): Promise<void> {
    this.#database.run('UPDATE executions SET run_id = ? WHERE id = ?', runId, id);
    return Promise.resolve();
  }

  get(id: string): Promise<Execution | undefined> {
    const row = this.#database.get(`SELECT ${summaryColumns}, input FROM executions WHERE id = ?`, id);
    return Promise.resolve(row && toExecution(row));
  }

  getStatus(id: string): Promise<ExecutionStatus | undefined> {
    const row = this.#database.get('SELECT status FROM executions WHERE id = ?', id);
    return Promise.resolve(row && word(row, 'status', executionStatuses));
  }

  getOutput(id: string): Promise<Output | undefined> {
    const row = this.#database.get('SELECT id, status, output, error FROM executions WHERE id = ?', id);
    return Promise.resolve(
      row && {
        executionId: text(row, 'id'),
        status: word(row, 'status', executionStatuses),
        output: nullableJson(row, 'output'),
        error: toError(row),
      },
    );
  }

  list(query: ExecutionQuery): Promise<StorePage<ExecutionSummary>> {
    return Promise.resolve(
      readPage(
        this.#database,
        `SELECT ${summaryColumns} FROM executions`,
        [
          ['workflow_id = ?', query.workflowId],
          ['status = ?', query.status],
          ['event_id = ?', query.eventId],
          ['started_at > ?', query.startedAfter],
          ['started_at < ?', query.startedBefore],
        ],
        query,
        toSummary,
      ),
    );
  }

  setStatus(id: string, status: 'running' | 'waiting'): Promise<void> {
    this.#database.transaction(() => {
      const before = this.#database.get('SELECT started_at FROM executions WHERE id = ?', id);
      const changes = this.#database.run(
        `UPDATE executions SET status = ?, started_at = coalesce(started_at, ?)
         WHERE id = ? AND status <> ? AND NOT ${hasEnded}`,
        status,
        this.#now(),
        id,
        status,
      );
      if (changes === 0) return;
      if (status === 'waiting') this.#tell(id, 'waiting', status);
      else if (before?.['started_at'] === null) this.#tell(id, 'started', status);
      else this.#database.announce(`execution:${id}`);
    });
    return Promise.resolve();
  }

  finish(id: string, outcome: ExecutionOutcome): Promise<void> {
    this.#database.transaction(() => {
      const changes = this.#database.run(
        `UPDATE executions SET status = ?, output = ?, error = ?, completed_at = ?
         WHERE id = ? AND NOT ${hasEnded}`,
        outcome.status,
        outcome.status === 'completed' ? JSON.stringify(outcome.output) : null,
        outcome.status === 'failed' ? JSON.stringify(outcome.error) : null,
        this.#now(),
        id,
      );
      if (changes > 0) this.#tell(id, outcome.status, outcome.status);
    });
    return Promise.resolve();
  }

  prune(pruning: Pruning): Promise<number> {
    return Promise.resolve(pruneExecutions(this.#database, pruning));
  }

  listUnfinished(): Promise<readonly UnfinishedExecution[]> {
    const rows = this.#database.all(
      `SELECT id, workflow_id, run_id FROM executions
       WHERE status IN ('queued', 'running', 'waiting') ORDER BY position`,
    );
    return Promise.resolve(
      rows.map((row) => ({
        id: text(row, 'id'),
        workflowId: text(row, 'workflow_id'),
        runId: nullableText(row, 'run_id'),
      })),
    );
  }

  #now(): string {
    return toTimestamp(this.#database.clock());
  }

  #read(id: string): Execution {
    const row = this.#database.get(`SELECT ${summaryColumns}, input FROM executions WHERE id = ?`, id);
    if (!row) throw new Error(`The execution ${id} could not be read back.`);
    return toExecution(row);
  }

  #insert({ workflowId, input }: NewExecution): string {
    const id = createId('exec');
    const eventId = createId('evt');
    this.#database.run(
      `INSERT INTO executions (id, workflow_id, event_id, status, cause, created_at, input)
       VALUES (?, ?, ?, 'queued', 'api', ?, ?)`,
      id,
      workflowId,
      eventId,
      this.#now(),
      JSON.stringify(input),
    );
    this.#tell(id, 'triggered', 'queued', eventId);
    return id;
  }

  #findRepeated(wanted: NonNullable<NewExecution['idempotency']>): TriggerResult | undefined {
    this.#database.run(
      'DELETE FROM idempotency WHERE created_at < ?',
      toTimestamp(this.#database.clock() - idempotencyMs),
    );
    const row = this.#database.get(
      'SELECT body_hash, execution_id FROM idempotency WHERE key_id = ? AND key = ?',
      wanted.keyId,
      wanted.key,
    );
    if (!row) return undefined;
    if (text(row, 'body_hash') !== wanted.bodyHash) return { kind: 'conflict' };
    return { kind: 'repeated', execution: this.#read(text(row, 'execution_id')) };
  }

  #remember(idempotency: NonNullable<NewExecution['idempotency']>, executionId: string): void {
    this.#database.run(
      'INSERT INTO idempotency (key_id, key, body_hash, execution_id, created_at) VALUES (?, ?, ?, ?, ?)',
      idempotency.keyId,
      idempotency.key,
      idempotency.bodyHash,
      executionId,
      this.#now(),
    );
  }

  #tell(id: string, kind: string, status: ExecutionStatus, newEventId?: string): void {
    const { workflowId, eventId } = this.#read(id);
    this.#publish({
      type: `execution.${kind}`,
      data: { workflowId, executionId: id, eventId, status },
      ...(newEventId !== undefined && { id: newEventId }),
    });
    this.#database.announce(`execution:${id}`);
  }
}

function toSummary(row: Row): ExecutionSummary {
  const startedAt = nullableText(row, 'started_at');
  const completedAt = nullableText(row, 'completed_at');
  return {
    id: text(row, 'id'),
    workflowId: text(row, 'workflow_id'),
    eventId: text(row, 'event_id'),
    status: word(row, 'status', executionStatuses),
    trigger: text(row, 'cause'),
    error: toError(row),
    createdAt: text(row, 'created_at'),
    startedAt,
    completedAt,
    durationMs: startedAt && completedAt ? Date.parse(completedAt) - Date.parse(startedAt) : null,
  };
}

function toExecution(row: Row): Execution {
  return { ...toSummary(row), input: json(row, 'input') };
}

function toError(row: Row): ExecutionError | null {
  return v.parse(v.nullable(ExecutionErrorSchema), nullableJson(row, 'error'));
}
