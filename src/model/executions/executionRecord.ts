import { emptyExecution, type Execution, type RunError, type Triggered } from '../../domain/execution.ts';
import { sizeOfValue } from '../runs/rowSizes.ts';
import type { ExecutionFilter, ExecutionPeriod, ExecutionQuery } from '../../domain/queries.ts';
import type { RunState, Status } from '../../domain/status.ts';

/** True when both look the same in a row. */
export function executionsLookSame(earlier: Execution, later: Execution): boolean {
  return (
    earlier.status.state === later.status.state &&
    earlier.status.word === later.status.word &&
    earlier.status.hasWarning === later.status.hasWarning &&
    earlier.workflowId === later.workflowId &&
    earlier.durationMs === later.durationMs &&
    earlier.kind === later.kind &&
    earlier.retryOf === later.retryOf &&
    earlier.basedOn === later.basedOn &&
    (later.parent === undefined || earlier.parent === later.parent) &&
    earlier.isCancelRequested === later.isCancelRequested &&
    earlier.createdAt?.getTime() === later.createdAt?.getTime() &&
    earlier.startedAt?.getTime() === later.startedAt?.getTime() &&
    earlier.completedAt?.getTime() === later.completedAt?.getTime() &&
    earlier.error?.message === later.error?.message
  );
}

/** Returns the earlier record if the later one adds nothing or is older. Values that a list leaves out are kept from the details. */
export function mergeExecution(earlier: Execution, later: Execution): Execution {
  if (isTurnedBack(earlier, later)) return earlier;
  // Such a record has nothing but its end, and how one ended that is known already stays so.
  if (later.status.notKeptBy !== undefined)
    return earlier.status.isTerminal ? earlier : { ...earlier, status: later.status };
  const error = mergeError(earlier.error, later.error);
  const definitionVersion = later.definitionVersion ?? earlier.definitionVersion;
  const addsData =
    (later.input !== undefined && earlier.input === undefined) ||
    (later.output !== undefined && earlier.output === undefined) ||
    definitionVersion !== earlier.definitionVersion ||
    error?.code !== earlier.error?.code ||
    error?.nodeId !== earlier.error?.nodeId;
  if (executionsLookSame(earlier, later) && !addsData) return earlier;
  return {
    ...later,
    workflowId: later.workflowId ?? earlier.workflowId,
    input: later.input ?? earlier.input,
    output: later.output ?? earlier.output,
    error,
    createdAt: later.createdAt ?? earlier.createdAt,
    definitionVersion,
    parent: later.parent === undefined ? earlier.parent : later.parent,
  };
}

/** A list may tell an error's message alone. */
function mergeError(earlier: RunError | null, later: RunError | null): RunError | null {
  if (later === null || earlier?.message !== later.message) return later ?? earlier;
  return { ...later, code: later.code ?? earlier.code, nodeId: later.nodeId ?? earlier.nodeId };
}

function isTurnedBack(one: Execution, other: Execution): boolean {
  const [earlier, later] = [one.status, other.status];
  if (earlier.isTerminal) return !later.isTerminal;
  if (one.isCancelRequested && !other.isCancelRequested && !later.isTerminal) return true;
  return later.state === 'queued' && earlier.state !== 'queued' && earlier.state !== 'unknown';
}

/** Returns a status that following derived instead of reading it. */
export function derivedStatus(state: RunState): Status {
  return { state, word: state, isTerminal: false, hasWarning: false };
}

/** Returns the record of an execution that the execute call just returned. The times are the client's own until the record is read. */
export function triggeredExecution(
  executionId: string,
  workflowId: string,
  { eventIds, status, respondedAt }: Triggered,
  now: number,
): Execution {
  return {
    ...emptyExecution(executionId),
    workflowId,
    eventIds,
    status: { ...derivedStatus('queued'), word: status },
    trigger: 'api',
    createdAt: respondedAt ?? new Date(now),
    raw: { id: executionId, workflowId, status },
  };
}

/** A record is large from about this many bytes. */
const largeBytes = 64 * 1024;

/** Returns a record without values that would take much memory. They're read again when needed. */
export function lightExecution(execution: Execution): Execution {
  if (sizeOfValue(execution.raw) < largeBytes) return execution;
  const { id, status } = execution;
  return { ...execution, input: undefined, output: undefined, raw: { id, status: status.word } };
}

function beginOf(period: ExecutionPeriod, now: number): number {
  return period.kind === 'last' ? now - period.milliseconds : period.time;
}

/** Returns the filter as a query to the service, which takes one state only; several are held to here. */
export function toExecutionQuery(
  { states, period, withoutDrafts = false }: ExecutionFilter,
  now: number,
): ExecutionQuery {
  const [status, ...others] = states;
  return {
    ...(status === undefined || others.length > 0 ? {} : { status }),
    ...(withoutDrafts ? { kind: 'deployed' } : {}),
    ...(period === null ? {} : { startedAfter: new Date(beginOf(period, now)) }),
  };
}

/** True when the execution passes the filter. Values that the service doesn't report pass. */
export function passesExecutionFilter(
  { kind, status, startedAt, createdAt }: Execution,
  filter: ExecutionFilter,
  now: number,
): boolean {
  const { states, withoutDrafts = false } = filter;
  if (withoutDrafts && kind === 'draft') return false;
  if (states.length > 0 && status.state !== 'unknown' && !states.includes(status.state)) return false;
  const began = startedAt ?? createdAt;
  return filter.period === null || began === null || began.getTime() > beginOf(filter.period, now);
}
