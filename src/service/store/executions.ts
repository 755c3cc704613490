// Executions as they are kept; every change of status publishes its portal event exactly once.
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
  /** What is deployed now: later edits never touch the execution. */
  readonly definition: WorkflowDefinition;
  /** JSON. */
  readonly input: string;
  /** Makes a repeated call answer the first one's execution. */
  readonly idempotency?:
    { readonly keyId: string; readonly key: string; readonly bodyHash: string } | undefined;
}

export type TriggerResult =
  | { readonly kind: 'created' | 'repeated'; readonly execution: ExecutionSummaryJson }
  /** The idempotency key was used with another request. */
  | { readonly kind: 'conflict' };

/** An execution whose input is JSON text. */
export type StoredExecution = Omit<ExecutionJson, 'input'> & { readonly input: JsonText };
/** An output that is JSON text. */
export type StoredOutput = Omit<OutputJson, 'output'> & { readonly output: JsonText };

export type ExecutionOutcome =
  | { readonly status: 'completed'; /** JSON. */ readonly output: string }
  | { readonly status: 'failed'; readonly error: ExecutionErrorJson };

/** What is to be carried out. */
export interface Work {
  readonly workflowId: string;
  readonly definition: WorkflowDefinition;
  /** JSON. */
  readonly input: string;
  readonly status: ExecutionStatus;
  /** How often the process died under it since a node last ended. */
  readonly deaths: number;
}

export interface UnfinishedExecution {
  readonly id: string;
  /** The engine's run that carries it out; null when none has begun. */
  readonly runId: string | null;
  /** How often it was handed over from one run to the next. */
  readonly handovers: number;
  /** False for one of an earlier version of the service that the engine never took. */
  readonly hasDefinition: boolean;
}

export interface Pruning {
  /** Executions that ended before this ISO timestamp go; null: none for their age. */
  readonly before: string | null;
  /** How many executions stay, the newest; null: all. */
  readonly keep: number | null;
  /** The most to delete in one call. */
  readonly limit: number;
}

export interface ExecutionStore {
  trigger(execution: NewExecution): Promise<TriggerResult>;
  get(id: string): Promise<StoredExecution | undefined>;
  getStatus(id: string): Promise<ExecutionStatus | undefined>;
  getOutput(id: string): Promise<StoredOutput | undefined>;
  /** Newest first. */
  list(query: ExecutionQuery): Promise<StorePage<ExecutionSummaryJson>>;
  /** Does nothing when the execution has that status already, or has ended. Waiting, no death of the process counts against it. */
  setStatus(id: string, status: 'running' | 'waiting'): Promise<void>;
  /** Does nothing when the execution has ended. */
  finish(id: string, outcome: ExecutionOutcome): Promise<void>;
  /** Deletes the oldest executions that have ended and need not be kept, with all that belongs to them; answers on how many it worked. A long log takes several calls. */
  prune(pruning: Pruning): Promise<number>;

  /**
   * Takes the execution for a run of the engine. Undefined when it has ended or belongs to another run: whichever run
   * takes it first has it until it is handed over, so that two never carry out the same.
   */
  take(id: string, runId: string): Promise<Work | undefined>;
  /** A node has ended: deaths are counted from here. */
  noteProgress(id: string): Promise<void>;
  /** Lets the next run have it; undefined when it has ended or the run does not have it. null: whatever run has it. */
  handOver(id: string, runId: string | null): Promise<UnfinishedExecution | undefined>;
  /** Oldest first. */
  listUnfinished(): Promise<readonly UnfinishedExecution[]>;
}
