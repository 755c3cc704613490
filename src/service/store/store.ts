// What the service's storage does, independent of SQLite; node runs and their logs are in nodeRuns.ts.
import type { Disposable } from '../../base/disposable.ts';
import type { JsonObject } from '../../base/json.ts';
import type { KeyExpiration } from '../../domain/apiKey.ts';
import type { ExecutionStatus } from '../../domain/status.ts';
import type { WorkflowDefinition } from '../../definition/definition.ts';
import type {
  ApiKeyJson,
  CreatedApiKeyJson,
  ExecutionJson,
  ExecutionSummaryJson,
  OutputJson,
  PortalEventJson,
  WorkflowJson,
  WorkflowSummaryJson,
} from '../../protocol/records.ts';
import type { JsonText } from '../jsonText.ts';
import type { Claim, ExecutionWriter } from './executionWriter.ts';
import type { NodeRunStore } from './nodeRuns.ts';
import type { StorageProblem } from './storageError.ts';

export interface Store {
  readonly workflows: WorkflowStore;
  readonly executions: ExecutionStore;
  readonly nodeRuns: NodeRunStore;
  readonly portalEvents: PortalEventStore;
  readonly keys: KeyStore;
  /** Announces new rows without carrying them: listeners read on from their own position. */
  subscribe(topic: Topic, listener: () => void): Disposable;
  /** Calls the listeners of a topic, also those in other processes on the same database. */
  announce(topic: Topic): void;
  /** The problem that the last reads or writes had; undefined when they succeeded. */
  problem(): StorageProblem | undefined;
  /**
   * Deletes some portal events over the limits, or returns at most this number of free pages to the disk. Returns false when there was
   * nothing to do.
   */
  shrink(pages: number): Promise<boolean>;
  close(): Promise<void>;
}

/** The portal events, work for an engine, revocations of keys, or one execution's node logs and status. */
export type Topic = 'portalEvents' | 'work' | 'keys' | `execution:${string}`;

/** The bounds of a page; `before` is the position at which the previous page ended. */
export interface PageQuery {
  readonly limit: number;
  readonly before?: number | undefined;
}

/** A page of a list; nextPosition is null on the last one. */
export interface StorePage<T> {
  readonly items: readonly T[];
  readonly nextPosition: number | null;
}

export interface NewWorkflow extends WorkflowDefinition {
  readonly name: string;
  readonly description: string | null;
}

export type WorkflowChanges = { readonly [K in keyof NewWorkflow]?: NewWorkflow[K] | undefined };

export interface WorkflowQuery extends PageQuery {
  /** A part of the name; case-insensitive. */
  readonly search?: string | undefined;
  readonly deployed?: boolean | undefined;
}

/** Stores the draft that edits change and the deployed definition that executions use. Each change publishes its portal event. */
export interface WorkflowStore {
  /** Newest first. */
  list(query: WorkflowQuery): Promise<StorePage<WorkflowSummaryJson>>;
  get(id: string): Promise<WorkflowJson | undefined>;
  create(workflow: NewWorkflow): Promise<WorkflowJson>;
  /** `expected` is the updatedAt or the version number that the caller has read. updatedAt increases with each update. */
  update(
    id: string,
    changes: WorkflowChanges,
    expected?: string | number,
  ): Promise<WorkflowJson | 'missing' | 'conflict'>;
  /** Returns false when there's no such workflow. Its executions stay. */
  delete(id: string): Promise<boolean>;
  /** Deploys the draft; "conflict" when its updatedAt has changed. */
  deploy(id: string, updatedAt: string): Promise<WorkflowJson | 'missing' | 'conflict'>;
  undeploy(id: string): Promise<WorkflowJson | undefined>;
  /** Returns the deployed definition; undefined when there's no such workflow, null when it isn't deployed. */
  getDeployed(id: string): Promise<WorkflowDefinition | null | undefined>;
}

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

/** An execution as a run takes it. */
export interface Work {
  readonly workflowId: string;
  readonly definition: WorkflowDefinition;
  /** JSON. */
  readonly input: string;
  readonly status: ExecutionStatus;
  /** When it was accepted, in epoch milliseconds; null when a run has taken it before. */
  readonly queuedSince: number | null;
  /** How often the process has died during it since a node run last ended. */
  readonly deaths: number;
  /** The number of this take. */
  readonly claim: number;
}

/** An execution that a run has. */
export interface TakenExecution {
  readonly work: Work;
  /**
   * Stores all that the work writes, or nothing. Rejects with a LostClaimError, also after the work. It can be repeated after a rejection:
   * what was stored without an answer isn't stored twice.
   */
  write<T>(work: (writer: ExecutionWriter) => T | Promise<T>): Promise<T>;
}

export interface UnfinishedExecution {
  readonly id: string;
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

/** Stores executions. Each change of status publishes its portal event exactly once. */
export interface ExecutionStore {
  trigger(execution: NewExecution): Promise<TriggerResult>;
  get(id: string): Promise<StoredExecution | undefined>;
  getStatus(id: string): Promise<ExecutionStatus | undefined>;
  getOutput(id: string): Promise<StoredOutput | undefined>;
  /** Newest first. */
  list(query: ExecutionQuery): Promise<StorePage<ExecutionSummaryJson>>;
  /** Stores all that the work writes, or nothing. Rejects with a LostClaimError. */
  write<T>(claim: Claim, work: (writer: ExecutionWriter) => T | Promise<T>): Promise<T>;
  /** Deletes the oldest ended executions over the limits with all their data; returns how many it processed. A long log takes several calls. */
  prune(pruning: Pruning): Promise<number>;

  /**
   * Takes the execution for an engine run, and sets a queued one to running; undefined when it has ended or belongs to another run. The run
   * keeps it until it's handed over, so that no two runs work on it.
   */
  take(id: string, runId: string): Promise<TakenExecution | undefined>;
  /** Releases the execution for the next run; undefined when it has ended or another run has it. Without a number, the claim releases it from any run. */
  handOver(claim: Claim): Promise<UnfinishedExecution | undefined>;
  /** Returns unfinished executions that no run of the engine is going to continue, oldest first. */
  listAbandoned(limit: number): Promise<readonly UnfinishedExecution[]>;
}

export interface NewPortalEvent {
  readonly type: string;
  readonly data: JsonObject;
  /** The sender's id of the event; a second event with the same id isn't stored. */
  readonly sourceId?: string | undefined;
}

export interface PortalEventFilter {
  readonly type?: string | undefined;
  readonly workflowId?: string | undefined;
}

/** An event with its position. */
export interface PlacedPortalEvent {
  readonly position: number;
  readonly event: PortalEventJson;
}

export interface PortalEventStore {
  /** Returns the id of the event, or of the stored one with the same sourceId. */
  append(event: NewPortalEvent): Promise<string>;
  /** Newest first. */
  list(filter: PortalEventFilter, page: PageQuery): Promise<StorePage<PortalEventJson>>;
  /** Oldest first, from the event after the position; a page ends at the limit, or at about 1 MiB. */
  listAfter(
    filter: PortalEventFilter,
    position: number,
    limit: number,
  ): Promise<{ readonly items: readonly PlacedPortalEvent[]; readonly hasMore: boolean }>;
  /** Returns undefined when the event is unknown or deleted. */
  findPosition(id: string): Promise<number | undefined>;
  /** Returns the positions of the oldest and the newest stored event; 0 when there are none. */
  range(): Promise<{ readonly first: number; readonly last: number }>;
}

export interface KeyStore {
  /** The only call that returns the key itself. */
  create(name: string, expiration: KeyExpiration): Promise<CreatedApiKeyJson>;
  /** Newest first. */
  list(): Promise<readonly ApiKeyJson[]>;
  /** Announces the topic `keys`. Returns false when there's no such key. Revoking a key again changes nothing. */
  revoke(id: string): Promise<boolean>;
  /** Returns the key of this id. */
  get(id: string): Promise<ApiKeyJson | undefined>;
  find(key: string): Promise<ApiKeyJson | undefined>;
  /** Counts an accepted request. Doesn't write immediately: lists show the use at once, the file a little later. */
  recordUse(id: string): void;
}
