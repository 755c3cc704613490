// The store of executions; each change of status publishes its portal event exactly once.
import type {
  ExecutionErrorJson,
  ExecutionJson,
  ExecutionSummaryJson,
  OutputJson,
} from '../../protocol/records.ts';
import type { JsonText } from '../jsonText.ts';
import type { ExecutionStatus } from '../../domain/status.ts';
import type { PageQuery, StorePage, WorkflowDefinition } from './workflows.ts';

export interface ExecutionQuery extends PageQuery {
  readonly workflowId?: string | undefined;
  readonly status?: ExecutionStatus | undefined;
  readonly eventId?: string | undefined;
  /** ISO timestamps, exclusive. */
  readonly startedAfter?: string | undefined;
  readonly startedBefore?: string | undefined;
}

export interface NewExecution {
  readonly workflowId: string;
  /** The deployed definition at the time of the trigger; later edits don't affect the execution. */
  readonly definition: WorkflowDefinition;
  /** JSON. */
  readonly input: string;
  /** A repeated call with the same key returns the first call's execution. */
  readonly idempotency?:
    { readonly keyId: string; readonly key: string; readonly bodyHash: string } | undefined;
}

export type TriggerResult =
  | { readonly kind: 'created' | 'repeated'; readonly execution: ExecutionSummaryJson }
  /** The idempotency key was used for a different request. */
  | { readonly kind: 'conflict' };

/** An execution whose input is JSON text. */
export type StoredExecution = Omit<ExecutionJson, 'input'> & { readonly input: JsonText };
/** An output that is JSON text. */
export type StoredOutput = Omit<OutputJson, 'output'> & { readonly output: JsonText };

export type ExecutionOutcome =
  | { readonly status: 'completed'; /** JSON. */ readonly output: string }
  | { readonly status: 'failed'; readonly error: ExecutionErrorJson };

/** An execution as a run takes it. */
export interface Work {
  readonly workflowId: string;
  readonly definition: WorkflowDefinition;
  /** JSON. */
  readonly input: string;
  readonly status: ExecutionStatus;
  /** How often the process has died during it since a node run last ended. */
  readonly deaths: number;
}

export interface UnfinishedExecution {
  readonly id: string;
  /** The engine's run that has taken it; null when none has. */
  readonly runId: string | null;
  /** How often it has been handed over to another run. */
  readonly handovers: number;
  /** False for executions of an earlier version of the service that the engine never took. */
  readonly hasDefinition: boolean;
}

export interface Pruning {
  /** Deletes executions that ended before this ISO timestamp; null sets no limit of age. */
  readonly before: string | null;
  /** Keeps this number of the newest executions; null sets no limit. */
  readonly keep: number | null;
  /** The maximum number to delete in one call. */
  readonly limit: number;
}

export interface ExecutionStore {
  trigger(execution: NewExecution): Promise<TriggerResult>;
  get(id: string): Promise<StoredExecution | undefined>;
  getStatus(id: string): Promise<ExecutionStatus | undefined>;
  getOutput(id: string): Promise<StoredOutput | undefined>;
  /** Newest first. */
  list(query: ExecutionQuery): Promise<StorePage<ExecutionSummaryJson>>;
  /** Publishes an event only when the status changes; does nothing when the execution has ended. Deaths aren't counted while it waits. */
  setStatus(id: string, status: 'running' | 'waiting'): Promise<void>;
  /** Does nothing when the execution has ended. */
  finish(id: string, outcome: ExecutionOutcome): Promise<void>;
  /** Deletes the oldest ended executions over the limits with all their data; returns how many it processed. A long log takes several calls. */
  prune(pruning: Pruning): Promise<number>;

  /**
   * Takes the execution for an engine run; undefined when it has ended or belongs to another run. The run keeps it until it's handed
   * over, so that no two runs work on it.
   */
  take(id: string, runId: string): Promise<Work | undefined>;
  /** Resets the count of deaths, after a node run has ended. */
  noteProgress(id: string): Promise<void>;
  /** Releases the execution for the next run; undefined when it has ended or another run has it. null as `runId` releases it from any run. */
  handOver(id: string, runId: string | null): Promise<UnfinishedExecution | undefined>;
  /** Oldest first. */
  listUnfinished(): Promise<readonly UnfinishedExecution[]>;
}
