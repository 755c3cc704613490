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

/** What a followed log stream says. Rows may come twice after "lost"; their keys tell. */
export type FollowItem =
  | { readonly kind: 'open'; readonly by: 'stream' | 'polling' }
  | { readonly kind: 'log'; readonly log: NodeLog }
  /** The connection dropped; the next attempt starts after the delay. */
  | { readonly kind: 'lost'; readonly error: Error; readonly retryInMs: number }
  /** The budget or the service's limit makes the stream wait. */
  | { readonly kind: 'paused'; readonly resumeInMs: number }
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

/** What a stream of portal events says. */
export type PortalEventItem =
  /** Connected: from now on every event comes; what came before is to be listed. */
  | { readonly kind: 'open' }
  | { readonly kind: 'event'; readonly event: PortalEvent }
  /** The position to resume from was pruned; the stream opens again without one. */
  | { readonly kind: 'gap' }
  /** The connection dropped; the next attempt starts after the delay. */
  | { readonly kind: 'lost'; readonly error: Error; readonly retryInMs: number }
  /** The budget or the service's limit makes the stream wait. */
  | { readonly kind: 'paused'; readonly resumeInMs: number };

export interface PortalEventCalls {
  list(query: PortalEventQuery, options?: CallOptions): Promise<Page<PortalEvent>>;
  /** Streams what comes after an event, through drops; ends where the service has no stream. Throws what cannot heal. */
  stream(after: string | undefined, signal: AbortSignal): AsyncIterable<PortalEventItem>;
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
