// Writes the attempts of node runs, with their node log rows and portal events.
import { stringifyJson } from '../../base/json.ts';
import {
  forgetLoopResults,
  keyOf,
  type NodeOutcome,
  type NodeRunRef,
  type OpenNodeRun,
  updateAttempt,
} from './nodeRunRows.ts';
import { type Exchange, keepExchange } from './exchanges.ts';
import type { LockedExecution } from './lockedExecution.ts';
import type { ReuseOrigin, NodeLogLine } from './nodeLogs.ts';
import { isForEach } from '../../definition/nodeTypes.ts';

interface CloseOptions {
  readonly wasInterrupted?: boolean;
  /** When the next attempt can start, in epoch milliseconds; null when none follows. */
  readonly retryAt?: number | null;
  readonly exchange?: Exchange | undefined;
}

/** The outcome of a node run that was reused instead of run, and its input as JSON. */
export interface ReusedRun {
  readonly input: string;
  readonly outcome: NodeOutcome;
  readonly origin: ReuseOrigin;
}

export async function openNodeRun(
  execution: LockedExecution,
  ref: NodeRunRef,
  attempt: number,
  value: string,
): Promise<OpenNodeRun> {
  const run = insertAttempt(execution, ref, attempt, 'running');
  const input = await execution.keep(value);
  logNodeRun(execution, run, { level: 'debug', message: 'node started', status: 'running', input });
  publishNodeRun(execution, run, 'started', 'running');
  return { ...run, status: 'running' };
}

export function skipNodeRun(execution: LockedExecution, ref: NodeRunRef, reason: string): void {
  const run = insertAttempt(execution, ref, 1, 'skipped');
  const message = `Skipped: ${reason}`;
  logNodeRun(execution, run, { level: 'info', message, status: 'skipped', hasEnded: true });
  publishNodeRun(execution, run, 'skipped', 'skipped');
}

export async function closeNodeRun(
  execution: LockedExecution,
  run: OpenNodeRun,
  outcome: NodeOutcome,
  { wasInterrupted = false, retryAt = null, exchange }: CloseOptions = {},
): Promise<void> {
  const output = outcome.status === 'completed' ? await execution.keep(outcome.output) : null;
  const error = outcome.status === 'failed' ? outcome.error : null;
  updateAttempt(
    execution.transaction,
    run,
    'status = ?, was_interrupted = ?, output = ?, error = ?, wake_at = ?',
    outcome.status,
    Number(wasInterrupted),
    output,
    error && stringifyJson(error),
    retryAt,
  );
  if (isForEach(run.nodeType) && outcome.status === 'completed')
    forgetLoopResults(execution.transaction, run);
  logNodeRun(execution, run, {
    level: outcome.status === 'failed' ? (wasInterrupted ? 'warn' : 'error') : 'info',
    message: outcome.status === 'completed' ? 'node completed' : outcome.error.message,
    status: outcome.status,
    output,
    error,
    exchange: exchange && (await keepExchange(exchange, (value) => execution.keep(value))),
    hasEnded: true,
  });
  publishNodeRun(execution, run, outcome.status, outcome.status);
}

/** Stores a node run that was reused instead of run. */
export async function reuseNodeRun(
  execution: LockedExecution,
  ref: NodeRunRef,
  { input, outcome, origin }: ReusedRun,
): Promise<void> {
  const run = insertAttempt(execution, ref, 1, 'running');
  const output = outcome.status === 'completed' ? await execution.keep(outcome.output) : null;
  const error = outcome.status === 'failed' ? outcome.error : null;
  updateAttempt(
    execution.transaction,
    { ...run, status: 'running' },
    'status = ?, output = ?, error = ?, reused_from = ?',
    outcome.status,
    output,
    error && stringifyJson(error),
    origin === 'pinned' ? null : origin.reusedFrom,
  );
  logNodeRun(execution, run, {
    level: 'info',
    message: origin === 'pinned' ? 'Gave its pinned output.' : `Reused from ${origin.reusedFrom}.`,
    status: outcome.status,
    input: await execution.keep(input),
    output,
    error,
    reuse: origin,
    hasEnded: true,
  });
}

/** A loop keeps its list and the results of its iterations, from which a retry continues. */
export function cancelNodeRun(execution: LockedExecution, run: OpenNodeRun): void {
  updateAttempt(execution.transaction, run, `status = 'cancelled', wake_at = NULL`);
  logNodeRun(execution, run, cancelled);
}

/** The attempts before it keep their failures. */
export function cancelNextAttempt(execution: LockedExecution, ref: NodeRunRef, attempt: number): void {
  logNodeRun(execution, insertAttempt(execution, ref, attempt, 'cancelled'), cancelled);
}

const cancelled: NodeLogLine = {
  level: 'warn',
  message: 'Cancelled',
  status: 'cancelled',
  hasEnded: true,
};

export function logNodeRun(
  execution: LockedExecution,
  run: Omit<OpenNodeRun, 'status'>,
  line: NodeLogLine,
): void {
  execution.log({ run, line, timestamp: execution.database.timestamp() });
}

function insertAttempt(
  { database, transaction, claim }: LockedExecution,
  ref: NodeRunRef,
  attempt: number,
  status: 'running' | 'skipped' | 'cancelled',
): Omit<OpenNodeRun, 'status'> {
  const startedAt = database.timestamp();
  transaction.write(
    `INSERT INTO node_runs (execution_id, node_id, iteration, attempt, status, started_at, claim)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
    ...keyOf(ref),
    attempt,
    status,
    startedAt,
    claim,
  );
  return { ...ref, attempt, startedAt };
}

function publishNodeRun(
  execution: LockedExecution,
  { executionId, nodeId, nodeName, nodeType, iteration, attempt }: Omit<OpenNodeRun, 'status'>,
  kind: string,
  status: string,
): void {
  const { workflowId } = execution.state;
  execution.publish({
    type: `node.${kind}`,
    data: { workflowId, executionId, nodeId, nodeName, nodeType, iteration, attempt, status },
  });
}
