// The states that every layer of the client speaks of, whatever words a service uses (contract section 7.3).

/** States as the client shows them; "unknown" keeps the service's own word beside it. */
export type RunState =
  'queued' | 'running' | 'waiting' | 'completed' | 'failed' | 'cancelled' | 'skipped' | 'unknown';

export interface Status {
  readonly state: RunState;
  /** The service's own word. */
  readonly word: string;
  readonly isTerminal: boolean;
  /** Completed, but the service said "warning". */
  readonly hasWarning: boolean;
}
