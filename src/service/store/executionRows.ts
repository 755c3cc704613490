// An execution as its row has it.
import * as v from 'valibot';
import type { WorkflowDefinition } from '../../definition/definition.ts';
import {
  executionKinds,
  type ExecutionStatus,
  executionStatuses,
  unfinishedStatuses,
} from '../../domain/status.ts';
import {
  type ExecutionErrorJson,
  ExecutionErrorSchema,
  type ExecutionSummaryJson,
} from '../../protocol/records.ts';
import type { SqlRow, Sql } from './database.ts';
import { readPinnedPlan } from './executionRecords.ts';
import { readValue } from './payloads.ts';
import type { Plan } from './plans.ts';
import { durationBetween, integer, jsonObject, nullableJson, nullableText, text, word } from './rows.ts';
import { toDefinition } from './workflows.ts';

/** What a run of an execution needs of it. */
export interface ExecutionWork {
  readonly workflowId: string;
  readonly definition: WorkflowDefinition;
  /** JSON. */
  readonly input: string;
  /** Whether its input or its pins were masked. */
  readonly isInputMasked: boolean;
  readonly status: ExecutionStatus;
  /** When it was accepted, in epoch milliseconds; null when a run has begun it before. */
  readonly queuedSince: number | null;
  /** How often the process has crashed while only this execution was running, since a node run last ended. */
  readonly soloCrashCount: number;
  readonly retryOf: string | null;
  readonly basedOn: string | null;
  readonly plan: Plan | null;
}

export const summaryColumns =
  'position, id, workflow_id, event_id, status, cause, created_at, started_at, completed_at, error, kind, retry_of, based_on';

/** The condition for an execution that hasn't ended; it matches an index. */
export const isUnfinished = `status IN (${unfinishedStatuses.map((status) => `'${status}'`).join(', ')})`;

/** Reads the input too if it's long. */
export async function toWork(sql: Sql, id: string, row: SqlRow): Promise<ExecutionWork> {
  const input = await readValue(sql, id, row, 'input');
  if (input === null) throw new Error(`The input of the execution ${id} is missing.`);
  return {
    workflowId: text(row, 'workflow_id'),
    definition: toDefinition(jsonObject(row, 'definition')),
    input,
    isInputMasked: integer(row, 'is_input_masked') === 1,
    status: row['status'] === 'queued' ? 'running' : word(row, 'status', executionStatuses),
    queuedSince: row['status'] === 'queued' ? Date.parse(text(row, 'created_at')) : null,
    soloCrashCount: integer(row, 'deaths_alone'),
    retryOf: nullableText(row, 'retry_of'),
    basedOn: nullableText(row, 'based_on'),
    plan: await readPinnedPlan(sql, id, row),
  };
}

export function toSummary(row: SqlRow): ExecutionSummaryJson {
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
    durationMs: startedAt && completedAt ? durationBetween(startedAt, completedAt) : null,
    kind: word(row, 'kind', executionKinds),
    retryOf: nullableText(row, 'retry_of'),
    basedOn: nullableText(row, 'based_on'),
    cancelRequested: false,
  };
}

export function toError(row: SqlRow): ExecutionErrorJson | null {
  return v.parse(v.nullable(ExecutionErrorSchema), nullableJson(row, 'error'));
}
