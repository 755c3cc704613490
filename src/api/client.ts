// The whole face of the api layer: what the rest of the extension can ask of a service.
import type { ExecutionQuery, Page, PortalEventQuery, WorkflowQuery } from '../domain/queries.ts';
import type { ObservedBudget, Purpose } from '../domain/budget.ts';
import type { Disposable } from '../base/disposable.ts';
import type { JsonObject } from '../base/json.ts';
import type { Observable } from '../base/observable.ts';
import type { OperationName } from '../protocol/operations.ts';
import type { ApiKey } from '../domain/apiKey.ts';
import type { Execution, Output, Triggered } from '../domain/execution.ts';
import type { NodeLog } from '../domain/nodeLog.ts';
import type { PortalEvent } from '../domain/portalEvent.ts';
import type { Status } from '../domain/status.ts';
import type { Workflow } from '../domain/workflow.ts';

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Default "asked". */
  readonly purpose?: Purpose;
}

interface ExecuteOptions extends CallOptions {
  /** Stands for one execution that was asked for; a service that honours it starts no second one. Default: a new one. */
  readonly idempotencyKey?: string;
}

/** Every call rejects with a ServiceError, or with the signal's reason when it was cancelled. */
export interface WorkflowCalls {
  list(query: WorkflowQuery, options?: CallOptions): Promise<Page<Workflow>>;
  get(workflowId: string, options?: CallOptions): Promise<Workflow>;
  /** Never looks through the list instead: rejects with "notOffered" where a service has no call for one workflow. */
  getOne(workflowId: string, options?: CallOptions): Promise<Workflow>;
  create(workflow: JsonObject, options?: CallOptions): Promise<Workflow>;
  update(workflowId: string, changes: JsonObject, options?: CallOptions): Promise<Workflow>;
  /** Done as well when the workflow was gone already after a lost answer. */
  delete(workflowId: string, options?: CallOptions): Promise<void>;
  import(workflow: JsonObject, options?: CallOptions): Promise<Workflow>;
  duplicate(workflowId: string, name: string | undefined, options?: CallOptions): Promise<Workflow>;
  deploy(workflowId: string, options?: CallOptions): Promise<Workflow>;
  undeploy(workflowId: string, options?: CallOptions): Promise<Workflow>;
  /** Repeated on its own only after 429, which refuses before anything ran, for at most a minute; with the same key each time. */
  execute(workflowId: string, input: JsonObject, options?: ExecuteOptions): Promise<Triggered>;
}

/** Why following waits. */
export type Interruption =
  /** The connection dropped; the next attempt starts after the delay. */
  | { readonly kind: 'lost'; readonly error: Error; readonly retryInMs: number }
  /** The budget or the service's limit makes it wait. */
  | { readonly kind: 'paused'; readonly resumeInMs: number };

/** What a followed execution says. */
export type FollowItem =
  | Interruption
  | { readonly kind: 'open'; readonly by: 'stream' | 'polling' }
  /** Rows that arrived together, in order, never none. A row that was handed over comes again only when the service changed it, or when a service repeats more than the last 20,000; its key tells. */
  | { readonly kind: 'logs'; readonly logs: readonly NodeLog[] }
  /** The execution's own end, as the service told it. */
  | { readonly kind: 'end'; readonly status: Status };

export interface ExecutionCalls {
  list(query: ExecutionQuery, options?: CallOptions): Promise<Page<Execution>>;
  get(executionId: string, options?: CallOptions): Promise<Execution>;
  output(executionId: string, options?: CallOptions): Promise<Output>;
  /** The rows after a sequence, oldest first, at most 50 pages and 64 Mi characters of them. */
  logs(
    executionId: string,
    query: { readonly after?: number },
    options?: CallOptions,
  ): Promise<readonly NodeLog[]>;
  /** One row with its values whole, where a list cut them (see cutValue). */
  getNodeLog(executionId: string, logId: string, options?: CallOptions): Promise<NodeLog>;
  /** Follows until the execution's end: a stream where the service has one, else polling. Resumes after drops. Throws what cannot heal. */
  follow(
    executionId: string,
    query: { readonly after?: number },
    signal: AbortSignal,
  ): AsyncIterable<FollowItem>;
}

/** What listening for portal events says. */
export type PortalEventItem =
  | Interruption
  /** From now on every event comes; what came before is listed. */
  | { readonly kind: 'open'; readonly by: 'stream' | 'polling' }
  | { readonly kind: 'event'; readonly event: PortalEvent }
  /** The position to resume from was pruned; the stream opens again without one. */
  | { readonly kind: 'gap' };

/** The list of portal events that is kept up to date by listening. Failures that heal are tried again. */
export interface ListenedList {
  /** Reads the list before a connection where none was read yet. */
  prepare(): Promise<void>;
  /** The id of the newest event that is known, to stream after. */
  newestId(): string | undefined;
  /** Lists what came before a connection, or since the last poll; true when there was something new. isPruned: the position was refused. */
  catchUp(isPruned: boolean): Promise<boolean>;
  /** Resolves when it is time for the next poll. idlePolls: how many in a row brought nothing. */
  untilNextPoll(idlePolls: number): Promise<void>;
}

export interface PortalEventCalls {
  list(query: PortalEventQuery, options?: CallOptions): Promise<Page<PortalEvent>>;
  /** Streams what comes after an event, through drops. Where the service has no stream it ends, or keeps the list up to date by polling. Throws what cannot heal. */
  stream(
    after: string | undefined,
    signal: AbortSignal,
    list?: ListenedList,
  ): AsyncIterable<PortalEventItem>;
  send(event: JsonObject, options?: CallOptions): Promise<readonly string[]>;
}

export interface ServiceClient extends Disposable {
  readonly workflows: WorkflowCalls;
  readonly executions: ExecutionCalls;
  readonly portalEvents: PortalEventCalls;
  readonly budget: ObservedBudget;
  /** What the service was found not to offer by any way we know, until it works after all. */
  readonly notOffered: Observable<ReadonlySet<OperationName>>;
}

/** The settings surface of the local service. */
export interface SettingsClient {
  listKeys(options?: CallOptions): Promise<readonly ApiKey[]>;
  createKey(
    name: string,
    expiration: string,
    options?: CallOptions,
  ): Promise<ApiKey & { readonly key: string }>;
  revokeKey(keyId: string, options?: CallOptions): Promise<void>;
}
