// Why: executions as they are kept; every change of status publishes its portal event exactly once.
import type { JsonObject, JsonValue } from '../../base/json.ts';
import type {
  Execution,
  ExecutionError,
  ExecutionStatus,
  ExecutionSummary,
  Output,
} from '../../protocol/records.ts';
import type { PageQuery, StorePage } from './store.ts';

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
  readonly input: JsonObject;
  /** Makes a repeated call answer the first one's execution. */
  readonly idempotency?:
    { readonly keyId: string; readonly key: string; readonly bodyHash: string } | undefined;
}

export type TriggerResult =
  | { readonly kind: 'created' | 'repeated'; readonly execution: Execution }
  /** The idempotency key was used with another request. */
  | { readonly kind: 'conflict' };

export type ExecutionOutcome =
  | { readonly status: 'completed'; readonly output: JsonValue }
  | { readonly status: 'failed'; readonly error: ExecutionError };

export interface UnfinishedExecution {
  readonly id: string;
  readonly workflowId: string;
  /** The engine's run; null when the service ended before it was started. */
  readonly runId: string | null;
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
  attachRun(id: string, runId: string): Promise<void>;
  get(id: string): Promise<Execution | undefined>;
  getStatus(id: string): Promise<ExecutionStatus | undefined>;
  getOutput(id: string): Promise<Output | undefined>;
  /** Newest first. */
  list(query: ExecutionQuery): Promise<StorePage<ExecutionSummary>>;
  /** Does nothing when the execution has that status already, or has ended. */
  setStatus(id: string, status: 'running' | 'waiting'): Promise<void>;
  /** Does nothing when the execution has ended. */
  finish(id: string, outcome: ExecutionOutcome): Promise<void>;
  /** Deletes the oldest executions that have ended and need not be kept, with all that belongs to them; answers how many. */
  prune(pruning: Pruning): Promise<number>;
  listUnfinished(): Promise<readonly UnfinishedExecution[]>;
}
