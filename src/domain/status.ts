// The states used throughout the client, independent of the service's own words (contract section 7.3).

export const executionStatuses = [
  'queued',
  'running',
  'waiting',
  'completed',
  'failed',
  'cancelled',
] as const;
export type ExecutionStatus = (typeof executionStatuses)[number];

/** deployed: of the deployed definition. draft: of a definition's text that needn't be saved or deployed (contract section 9). */
export const executionKinds = ['deployed', 'draft'] as const;
export type ExecutionKind = (typeof executionKinds)[number];

export const nodeStatuses = [...executionStatuses, 'skipped'] as const;
export type NodeStatus = (typeof nodeStatuses)[number];

/** A state as shown to the user. For "unknown", Status.word says more. */
export type RunState = NodeStatus | 'unknown';

/** True for a state that is followed by an end. An unknown word may itself be an end. */
export function isUnfinished(state: RunState): boolean {
  return state === 'queued' || state === 'running' || state === 'waiting';
}

/** True for the state of an execution after which nothing happens to it any more. */
export function hasEnded(status: ExecutionStatus): boolean {
  return !isUnfinished(status);
}

export const endedStatuses = executionStatuses.filter(hasEnded);
export const unfinishedStatuses = executionStatuses.filter(isUnfinished);

export interface Status {
  readonly state: RunState;
  /** The service's own word. */
  readonly word: string;
  readonly isTerminal: boolean;
  /** Completed, but the service reported "warning". */
  readonly hasWarning: boolean;
  /** The product that keeps no record of the execution, which has ended: how isn't known. */
  readonly notKeptBy?: string;
}

/** Of an execution that has ended without a record of it. */
export function statusNotKept(product: string): Status {
  return { state: 'unknown', word: 'not kept', isTerminal: true, hasWarning: false, notKeptBy: product };
}

/** Of a record that says nothing about its state. */
export const unreportedStatus: Status = { state: 'unknown', word: '', isTerminal: false, hasWarning: false };
