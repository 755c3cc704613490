// Writes a status and its portal event in one transaction.
import * as v from 'valibot';
import {
  type ExecutionErrorJson,
  ExecutionErrorSchema,
  type ExecutionSummaryJson,
} from '../../../protocol/records.ts';
import { createId, hashOf } from '../../ids.ts';
import type {
  ExecutionOutcome,
  ExecutionQuery,
  ExecutionStore,
  NewExecution,
  Pruning,
  StoredExecution,
  StoredOutput,
  StorePage,
  TriggerResult,
  UnfinishedExecution,
  Work,
} from '../store.ts';
import type { Row, SqliteDatabase } from './database.ts';
import { findRepeated, remember } from './idempotency.ts';
import { keepValue, readValue, wholeValue } from './payloads.ts';
import type { SqlitePortalEventStore } from './portalEvents.ts';
import { pruneExecutions } from './prune.ts';
import { integer, jsonObject, nullableJson, nullableText, readPage, text, word } from './rows.ts';
import { definitionText, toDefinition } from './workflows.ts';
import { type ExecutionStatus, executionStatuses } from '../../../domain/status.ts';

const summaryColumns =
  'position, id, workflow_id, event_id, status, cause, created_at, started_at, completed_at, error';
const hasEnded = `status IN ('completed', 'failed', 'cancelled')`;

export class SqliteExecutionStore implements ExecutionStore {
  readonly #database: SqliteDatabase;
  readonly #portalEvents: SqlitePortalEventStore;

  constructor(database: SqliteDatabase, portalEvents: SqlitePortalEventStore) {
    this.#database = database;
    this.#portalEvents = portalEvents;
  }

  trigger(execution: NewExecution): Promise<TriggerResult> {
    return Promise.resolve(
      this.#database.transaction(() => {
        const earlier = execution.idempotency && findRepeated(this.#database, execution.idempotency);
        if (earlier === 'conflict') return { kind: 'conflict' };
        if (earlier !== undefined) return { kind: 'repeated', execution: this.#read(earlier) };
        const id = this.#insert(execution);
        if (execution.idempotency) remember(this.#database, execution.idempotency, id);
        return { kind: 'created', execution: this.#read(id) };
      }),
    );
  }

  get(id: string): Promise<StoredExecution | undefined> {
    const row = this.#database.get(`SELECT ${summaryColumns}, input FROM executions WHERE id = ?`, id);
    return Promise.resolve(row && { ...toSummary(row), input: wholeValue(this.#database, id, row, 'input') });
  }

  getStatus(id: string): Promise<ExecutionStatus | undefined> {
    const row = this.#database.get('SELECT status FROM executions WHERE id = ?', id);
    return Promise.resolve(row && word(row, 'status', executionStatuses));
  }

  getOutput(id: string): Promise<StoredOutput | undefined> {
    const row = this.#database.get('SELECT id, status, output, error FROM executions WHERE id = ?', id);
    return Promise.resolve(
      row && {
        executionId: text(row, 'id'),
        status: word(row, 'status', executionStatuses),
        output: wholeValue(this.#database, id, row, 'output'),
        error: toError(row),
      },
    );
  }

  list(query: ExecutionQuery): Promise<StorePage<ExecutionSummaryJson>> {
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
      const before = this.#database.get('SELECT status, started_at FROM executions WHERE id = ?', id);
      const isChanged = before?.['status'] !== status;
      const changes = this.#database.run(
        `UPDATE executions SET status = ?, is_under_way = ?, started_at = coalesce(started_at, ?)
         WHERE id = ? AND NOT ${hasEnded}`,
        status,
        Number(status === 'running'),
        this.#database.timestamp(),
        id,
      );
      if (changes === 0 || !isChanged) return;
      if (status === 'waiting') this.#tell(id, 'waiting', status);
      else if (before?.['started_at'] === null) this.#tell(id, 'started', status);
      else this.#database.announce(`execution:${id}`);
    });
    return Promise.resolve();
  }

  finish(id: string, outcome: ExecutionOutcome): Promise<void> {
    this.#database.transaction(() => {
      const output = outcome.status === 'completed' ? keepValue(this.#database, id, outcome.output) : null;
      const changes = this.#database.run(
        `UPDATE executions SET status = ?, output = ?, error = ?, completed_at = ?, is_under_way = 0
         WHERE id = ? AND NOT ${hasEnded}`,
        outcome.status,
        output,
        outcome.status === 'failed' ? JSON.stringify(outcome.error) : null,
        this.#database.timestamp(),
        id,
      );
      if (changes > 0) this.#tell(id, outcome.status, outcome.status);
    });
    return Promise.resolve();
  }

  take(id: string, runId: string): Promise<Work | undefined> {
    return Promise.resolve(
      this.#database.transaction(() => {
        const row = this.#database.get(
          `UPDATE executions SET run_id = ?, deaths = deaths + is_under_way, is_under_way = 1
           WHERE id = ? AND coalesce(run_id, ?) = ? AND NOT ${hasEnded}
           RETURNING workflow_id, status, deaths, input,
             (SELECT definition FROM definitions WHERE hash = definition_hash) AS definition`,
          runId,
          id,
          runId,
          runId,
        );
        return row && this.#toWork(id, row);
      }),
    );
  }

  noteProgress(id: string): Promise<void> {
    this.#database.run('UPDATE executions SET deaths = 0 WHERE id = ?', id);
    return Promise.resolve();
  }

  handOver(id: string, runId: string | null): Promise<UnfinishedExecution | undefined> {
    const row = this.#database.get(
      `UPDATE executions SET run_id = NULL, handovers = handovers + 1, is_under_way = iif(? IS NULL, is_under_way, 0)
       WHERE id = ? AND coalesce(?, run_id, '') = coalesce(run_id, '') AND NOT ${hasEnded}
       RETURNING id, run_id, handovers, definition_hash`,
      runId,
      id,
      runId,
    );
    return Promise.resolve(row && toUnfinished(row));
  }

  prune(pruning: Pruning): Promise<number> {
    return Promise.resolve(pruneExecutions(this.#database, pruning));
  }

  listUnfinished(): Promise<readonly UnfinishedExecution[]> {
    const rows = this.#database.all(
      `SELECT id, run_id, handovers, definition_hash FROM executions
       WHERE status IN ('queued', 'running', 'waiting') ORDER BY position`,
    );
    return Promise.resolve(rows.map(toUnfinished));
  }

  #toWork(id: string, row: Row): Work {
    const input = readValue(this.#database, id, row, 'input');
    if (input === null) throw new Error(`The input of the execution ${id} is missing.`);
    return {
      workflowId: text(row, 'workflow_id'),
      definition: toDefinition(jsonObject(row, 'definition')),
      input,
      status: word(row, 'status', executionStatuses),
      deaths: integer(row, 'deaths'),
    };
  }

  #read(id: string): ExecutionSummaryJson {
    const row = this.#database.get(`SELECT ${summaryColumns} FROM executions WHERE id = ?`, id);
    if (!row) throw new Error(`The execution ${id} could not be read back.`);
    return toSummary(row);
  }

  #insert({ workflowId, definition, input }: NewExecution): string {
    const id = createId('exec');
    const eventId = createId('evt');
    const kept = definitionText(definition);
    const hash = hashOf(kept);
    this.#database.run('INSERT OR IGNORE INTO definitions (hash, definition) VALUES (?, ?)', hash, kept);
    this.#database.run(
      `INSERT INTO executions (id, workflow_id, event_id, status, cause, created_at, definition_hash, input)
       VALUES (?, ?, ?, 'queued', 'api', ?, ?, ?)`,
      id,
      workflowId,
      eventId,
      this.#database.timestamp(),
      hash,
      keepValue(this.#database, id, input),
    );
    this.#tell(id, 'triggered', 'queued', eventId);
    return id;
  }

  #tell(id: string, kind: string, status: ExecutionStatus, newEventId?: string): void {
    const { workflowId, eventId } = this.#read(id);
    this.#portalEvents.publish({
      type: `execution.${kind}`,
      data: { workflowId, executionId: id, eventId, status },
      ...(newEventId !== undefined && { id: newEventId }),
    });
    this.#database.announce(`execution:${id}`);
  }
}

function toSummary(row: Row): ExecutionSummaryJson {
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

function toUnfinished(row: Row): UnfinishedExecution {
  return {
    id: text(row, 'id'),
    runId: nullableText(row, 'run_id'),
    handovers: integer(row, 'handovers'),
    hasDefinition: row['definition_hash'] !== null,
  };
}

function toError(row: Row): ExecutionErrorJson | null {
  return v.parse(v.nullable(ExecutionErrorSchema), nullableJson(row, 'error'));
}
