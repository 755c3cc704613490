// The whole face of the api layer: what the rest of the extension can ask of a service.
import type { Disposable } from '../base/disposable.ts';
import type { JsonObject } from '../base/json.ts';
import type { Observable } from '../base/observable.ts';
import type { OperationName } from '../protocol/operations.ts';
import type {
  ApiKeyReading,
  ExecutionReading,
  NodeLogReading,
  OutputReading,
  PortalEventReading,
  Status,
  TriggerReading,
  WorkflowReading,
} from './readings.ts';

/** Who goes first when the budget is short: what the user did, then what is being followed, then what keeps a view fresh. */
export type Priority = 'user' | 'follow' | 'background';

/**
 * What a request is for. asked: a person waits for it. following: an execution is being followed. portalEvents: portal events are
 * listened to. workflows, executions: what is shown of them is kept fresh. definitions: so are the lines over an open definition.
 */
export type Purpose = 'asked' | 'following' | 'portalEvents' | 'workflows' | 'executions' | 'definitions';

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Default "asked". */
  readonly purpose?: Purpose;
}

interface ExecuteOptions extends CallOptions {
  /** Stands for one execution that was asked for; a service that honours it starts no second one. Default: a new one. */
  readonly idempotencyKey?: string;
}

export interface Page<T> {
  readonly items: readonly T[];
  readonly nextCursor: string | null;
}

export interface WorkflowQuery {
  readonly limit?: number;
  readonly cursor?: string;
  readonly search?: string;
  readonly deployed?: boolean;
}

/** Every call rejects with a ServiceError, or with the signal's reason when it was cancelled. */
export interface WorkflowCalls {
  list(query: WorkflowQuery, options?: CallOptions): Promise<Page<WorkflowReading>>;
  get(workflowId: string, options?: CallOptions): Promise<WorkflowReading>;
  /** Never looks through the list instead: rejects with "notOffered" where a service has no call for one workflow. */
  getOne(workflowId: string, options?: CallOptions): Promise<WorkflowReading>;
  create(workflow: JsonObject, options?: CallOptions): Promise<WorkflowReading>;
  update(workflowId: string, changes: JsonObject, options?: CallOptions): Promise<WorkflowReading>;
  /** Done as well when the workflow was gone already after a lost answer. */
  delete(workflowId: string, options?: CallOptions): Promise<void>;
  import(workflow: JsonObject, options?: CallOptions): Promise<WorkflowReading>;
  duplicate(workflowId: string, name: string | undefined, options?: CallOptions): Promise<WorkflowReading>;
  deploy(workflowId: string, options?: CallOptions): Promise<WorkflowReading>;
  undeploy(workflowId: string, options?: CallOptions): Promise<WorkflowReading>;
  /** Repeated on its own only after 429, which refuses before anything ran, for at most a minute; with the same key each time. */
  execute(workflowId: string, input: JsonObject, options?: ExecuteOptions): Promise<TriggerReading>;
}

export interface ExecutionQuery {
  readonly workflowId?: string;
  readonly status?: string;
  readonly eventId?: string;
  readonly startedAfter?: Date;
  readonly startedBefore?: Date;
  readonly limit?: number;
  readonly cursor?: string;
}

/** What a followed log stream says. Rows may come twice after "lost"; their keys tell. */
export type FollowItem =
  | { readonly kind: 'open'; readonly by: 'stream' | 'polling' }
  | { readonly kind: 'log'; readonly log: NodeLogReading }
  /** The connection dropped; the next attempt starts after the delay. */
  | { readonly kind: 'lost'; readonly error: Error; readonly retryInMs: number }
  /** The budget or the service's limit makes the stream wait. */
  | { readonly kind: 'paused'; readonly resumeInMs: number }
  /** The execution's own end, as the service told it. */
  | { readonly kind: 'end'; readonly status: Status };

export interface ExecutionCalls {
  list(query: ExecutionQuery, options?: CallOptions): Promise<Page<ExecutionReading>>;
  get(executionId: string, options?: CallOptions): Promise<ExecutionReading>;
  output(executionId: string, options?: CallOptions): Promise<OutputReading>;
  /** The rows after a sequence, oldest first, at most 50 pages and 64 Mi characters of them. */
  logs(
    executionId: string,
    query: { readonly after?: number },
    options?: CallOptions,
  ): Promise<readonly NodeLogReading[]>;
  /** One row with its values whole, where a list cut them (see cutValue). */
  getNodeLog(executionId: string, logId: string, options?: CallOptions): Promise<NodeLogReading>;
  /** Follows until the execution's end: a stream where the service has one, else polling. Resumes after drops. Throws what cannot heal. */
  follow(
    executionId: string,
    query: { readonly after?: number },
    signal: AbortSignal,
  ): AsyncIterable<FollowItem>;
}

export interface PortalEventQuery {
  readonly after?: string;
  readonly type?: string;
  readonly workflowId?: string;
  readonly limit?: number;
  readonly cursor?: string;
}

/** What a stream of portal events says. */
export type PortalEventItem =
  /** Connected: from now on every event comes; what came before is to be listed. */
  | { readonly kind: 'open' }
  | { readonly kind: 'event'; readonly event: PortalEventReading }
  /** The position to resume from was pruned; the stream opens again without one. */
  | { readonly kind: 'gap' }
  /** The connection dropped; the next attempt starts after the delay. */
  | { readonly kind: 'lost'; readonly error: Error; readonly retryInMs: number }
  /** The budget or the service's limit makes the stream wait. */
  | { readonly kind: 'paused'; readonly resumeInMs: number };

export interface PortalEventCalls {
  list(query: PortalEventQuery, options?: CallOptions): Promise<Page<PortalEventReading>>;
  /** Streams what comes after an event, through drops; ends where the service has no stream. Throws what cannot heal. */
  stream(after: string | undefined, signal: AbortSignal): AsyncIterable<PortalEventItem>;
  send(event: JsonObject, options?: CallOptions): Promise<readonly string[]>;
}

/** How much of the 60 a minute is left, as far as this client knows. */
export interface BudgetState {
  readonly limit: number;
  readonly remaining: number;
  /** Epoch milliseconds until which the service refuses; null when it does not. */
  readonly pausedUntil: number | null;
}

/** What the requests of the last minute are for. */
export interface BudgetUsage extends BudgetState {
  /** Of all windows of this machine; what is not there was not asked for. */
  readonly purposes: Readonly<Partial<Record<Purpose, number>>>;
  /** How many of them other windows sent. */
  readonly otherWindows: number;
  /** Requests of other programs and machines with the same key, as far as the service tells. */
  readonly otherClients: number;
}

/** A key's minute. The state is computed when read; announced when a request leaves or an answer corrects it, not when time frees a place. */
export interface ObservedBudget extends Observable<BudgetState> {
  usage(): BudgetUsage;
  /** Milliseconds until a request for this purpose could leave; 0: now. */
  waitMs(purpose: Purpose): number;
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
  listKeys(options?: CallOptions): Promise<readonly ApiKeyReading[]>;
  createKey(
    name: string,
    expiration: string,
    options?: CallOptions,
  ): Promise<ApiKeyReading & { readonly key: string }>;
  revokeKey(keyId: string, options?: CallOptions): Promise<void>;
}
