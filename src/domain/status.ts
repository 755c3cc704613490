// The states that every layer of the client speaks of, whatever words a service uses (contract section 7.3).

export const executionStatuses = [
  'queued',
  'running',
  'waiting',
  'completed',
  'failed',
  'cancelled',
] as const;
export type ExecutionStatus = (typeof executionStatuses)[number];

export const nodeStatuses = [...executionStatuses, 'skipped'] as const;
export type NodeStatus = (typeof nodeStatuses)[number];

/** States as the client shows them; "unknown" keeps the service's own word beside it. */
export type RunState = NodeStatus | 'unknown';

export interface Status {
  readonly state: RunState;
  /** The service's own word. */
  readonly word: string;
  readonly isTerminal: boolean;
  /** Completed, but the service said "warning". */
  readonly hasWarning: boolean;
}
