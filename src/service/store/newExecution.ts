// Stores a new execution.
import { stringifyJson } from '../../base/json.ts';
import type { WorkflowDefinition } from '../../definition/definition.ts';
import type { ExecutionKind } from '../../domain/status.ts';
import type { ExecutionSummaryJson } from '../../protocol/records.ts';
import { createId, hashOf } from '../ids.ts';
import type { Sql, SqlDatabase, Transaction } from './database.ts';
import { readLinks } from './executionRecords.ts';
import { summaryColumns, toSummary } from './executionRows.ts';
import { type RepeatableCall, remember } from './idempotency.ts';
import { executionEvent, type ExecutionTables } from './lockedExecution.ts';
import { commonQueue, leaseLevel, type Queue } from './needs.ts';
import { keepValue } from './payloads.ts';
import { type Plan, SourceGoneError } from './plans.ts';
import { definitionText } from './workflows.ts';

export interface NewExecution {
  readonly workflowId: string;
  /** The deployed definition at the time of the trigger; later edits don't affect the execution. */
  readonly definition: WorkflowDefinition;
  /** Of the workflow when the definition was deployed. Default: null, as for a draft. */
  readonly version?: number | null;
  /** JSON. */
  readonly input: string;
  /** Whether something was masked in the input or in pinned outputs; default false. */
  readonly isInputMasked?: boolean;
  /** Default: deployed. */
  readonly kind?: ExecutionKind | undefined;
  /** The queue. Default: the one of all versions. */
  readonly queue?: Queue;
  /** The execution that this one retries, or whose data it uses: it must be there. */
  readonly retryOf?: string | null;
  readonly basedOn?: string | null;
  readonly plan?: Plan | undefined;
  /** A repeated call with the same key returns the first call's execution. */
  readonly idempotency?: RepeatableCall | undefined;
}

export type TriggerResult =
  | { readonly kind: 'created' | 'repeated'; readonly execution: ExecutionSummaryJson }
  /** The idempotency key was used for a different request. */
  | { readonly kind: 'conflict' };

/** Stores the execution, which can be claimed from then on, unless a call is repeated. Rejects with a SourceGoneError. */
export function triggerExecution(tables: ExecutionTables, execution: NewExecution): Promise<TriggerResult> {
  const { database } = tables;
  const id = createId('exec');
  return database.transaction(async (transaction): Promise<TriggerResult> => {
    const { idempotency } = execution;
    const earlier = idempotency && (await remember(database, transaction, idempotency, id));
    if (earlier === 'conflict') return { kind: 'conflict' };
    if (earlier !== undefined)
      return { kind: 'repeated', execution: await readSummary(transaction, earlier) };
    // Retention locks what it deletes, and leaves alone what the execution uses from now on.
    const lock = database.lockRows('executions');
    for (const used of [execution.retryOf, execution.basedOn])
      if (used && !(await readLinks(transaction, used, [], 'used', lock))) throw new SourceGoneError();
    return { kind: 'created', execution: await insert(tables, transaction, id, execution) };
  });
}

async function readSummary(sql: Sql, id: string): Promise<ExecutionSummaryJson> {
  const row = await sql.get(`SELECT ${summaryColumns} FROM executions WHERE id = ?`, id);
  if (!row) throw new Error(`The execution ${id} could not be read back.`);
  return toSummary(row);
}

async function insert(
  { database, portalEvents }: ExecutionTables,
  transaction: Transaction,
  id: string,
  execution: NewExecution,
): Promise<ExecutionSummaryJson> {
  const { workflowId, kind = 'deployed', retryOf = null, basedOn = null } = execution;
  const event = { workflowId, eventId: createId('evt'), status: 'queued' } as const;
  const { eventId, status } = event;
  const summary: ExecutionSummaryJson = {
    id,
    workflowId,
    eventId,
    status,
    trigger: 'api',
    error: null,
    createdAt: database.timestamp(),
    startedAt: null,
    completedAt: null,
    durationMs: null,
    kind,
    retryOf,
    basedOn,
    cancelRequested: false,
  };
  write(database, transaction, execution, summary);
  await portalEvents.publish(transaction, [{ ...executionEvent('triggered', id, event), id: eventId }]);
  transaction.announce(`execution:${id}`);
  transaction.announce('work');
  return summary;
}

function write(
  { clock }: SqlDatabase,
  transaction: Transaction,
  { definition, version = null, input, plan, queue = commonQueue, isInputMasked = false }: NewExecution,
  { id, workflowId, eventId, createdAt, kind, retryOf, basedOn }: ExecutionSummaryJson,
): void {
  const kept = definitionText(definition);
  const hash = hashOf(kept);
  transaction.write(
    'INSERT INTO definitions (hash, definition) VALUES (?, ?) ON CONFLICT DO NOTHING',
    hash,
    kept,
  );
  transaction.write(
    `INSERT INTO executions (id, workflow_id, event_id, status, cause, created_at, definition_hash, definition_version, input, kind, retry_of, based_on, plan, queue, needs, is_input_masked, available_at)
       VALUES (?, ?, ?, 'queued', 'api', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ${clock})`,
    id,
    workflowId,
    eventId,
    createdAt,
    hash,
    version,
    keepValue(transaction, id, input),
    kind,
    retryOf,
    basedOn,
    plan ? keepValue(transaction, id, stringifyJson(plan)) : null,
    queue.name,
    Math.max(queue.level, leaseLevel),
    isInputMasked ? 1 : 0,
  );
}
