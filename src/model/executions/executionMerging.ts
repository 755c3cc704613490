// Tells an execution that changed from one merely read again, and keeps a late answer from turning it back.
import type { Execution, Triggered } from '../../domain/execution.ts';
import type { RunState, Status } from '../../domain/status.ts';

/** True when a row of the two looks alike. */
export function executionsLookSame(earlier: Execution, later: Execution): boolean {
  return (
    earlier.status.state === later.status.state &&
    earlier.status.word === later.status.word &&
    earlier.status.hasWarning === later.status.hasWarning &&
    earlier.workflowId === later.workflowId &&
    earlier.durationMs === later.durationMs &&
    earlier.createdAt?.getTime() === later.createdAt?.getTime() &&
    earlier.startedAt?.getTime() === later.startedAt?.getTime() &&
    earlier.completedAt?.getTime() === later.completedAt?.getTime() &&
    earlier.error?.message === later.error?.message
  );
}

/** The earlier reading when the later one adds nothing or is older; what a list leaves out is kept from the details. */
export function mergeExecution(earlier: Execution, later: Execution): Execution {
  if (isTurnedBack(earlier.status, later.status)) return earlier;
  const addsData =
    (later.input !== undefined && earlier.input === undefined) ||
    (later.output !== undefined && earlier.output === undefined);
  if (executionsLookSame(earlier, later) && !addsData) return earlier;
  return {
    ...later,
    workflowId: later.workflowId ?? earlier.workflowId,
    input: later.input ?? earlier.input,
    output: later.output ?? earlier.output,
  };
}

function isTurnedBack(earlier: Status, later: Status): boolean {
  if (earlier.isTerminal) return !later.isTerminal;
  return later.state === 'queued' && earlier.state !== 'queued' && earlier.state !== 'unknown';
}

/** A status that a follower learned rather than read. */
export function learnedStatus(state: RunState): Status {
  return { state, word: state, isTerminal: false, hasWarning: false };
}

/** What is known of an execution right after the execute call named it. Times are the client's own until the record is read. */
export function triggeredExecution(
  executionId: string,
  workflowId: string,
  trigger: Triggered,
  now: number,
): Execution {
  return {
    id: executionId,
    workflowId,
    eventIds: trigger.eventIds,
    status: { ...learnedStatus('queued'), word: trigger.status },
    trigger: 'api',
    input: undefined,
    output: undefined,
    error: null,
    createdAt: trigger.answeredAt ?? new Date(now),
    startedAt: null,
    completedAt: null,
    durationMs: null,
    raw: { id: executionId, workflowId, status: trigger.status },
  };
}
