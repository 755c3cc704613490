// What the model needs of a service, whatever its kind. Unless it says otherwise, each call rejects with a ServiceError, or with the signal's
// reason when cancelled; "notOffered" if this kind of service doesn't have it.
import type { Disposable } from '../base/disposable.ts';
import type { Observable } from '../base/event.ts';
import type { JsonObject } from '../base/json.ts';
import type { ObservedBudget, Purpose } from '../domain/budget.ts';
import type { DescribedRequest } from '../domain/httpExchange.ts';
import type { ServiceError } from '../domain/errors.ts';
import type { Execution, Output, Triggered } from '../domain/execution.ts';
import type { KeyRight } from '../domain/apiKey.ts';
import type { CheckedNode, NodeParameter, NodeTypeQuery, ParameterFault } from '../domain/nodeParameters.ts';
import type { NodeLog } from '../domain/nodeLog.ts';
import type { PortalEvent } from '../domain/portalEvent.ts';
import type {
  CallOptions,
  ExecutionQuery,
  Page,
  PortalEventQuery,
  WorkflowQuery,
} from '../domain/queries.ts';
import type { ServiceTraits } from '../domain/serviceTraits.ts';
import type { MovedTrigger, StartTrigger } from '../domain/triggers.ts';
import type { Status } from '../domain/status.ts';
import type { Workflow } from '../domain/workflow.ts';
import type { Capability, OperationName } from '../protocol/operations.ts';
import type { DraftRequest, RetryRequest } from '../protocol/requests.ts';

/** Reads the API key at the time of a request; undefined when there's none. */
export type KeyReader = () => Promise<string | undefined>;

/** The connection that a client belongs to. */
export interface ClientOwner {
  readonly connectionId: string;
  /** Called for each failed call and stream, before the caller gets the error. */
  readonly onFailure: (error: ServiceError) => void;
  /** Called for each successful call, and for each stream that was opened. */
  readonly onResponse?: () => void;
}

/** How many items to read, and which part of the key's minute the pages after the first use. */
export interface WholeRead {
  readonly limit: number;
  readonly purpose: Purpose;
  readonly signal?: AbortSignal | undefined;
}

export interface TriggerOptions extends CallOptions {
  /** Identifies one requested execution. A service that supports it doesn't start a second execution. Default: a new key. */
  readonly idempotencyKey?: string;
  /** The node that it begins at, where the service reports several. */
  readonly trigger?: string | undefined;
}

export interface TriggersOptions extends CallOptions {
  /** Of what is saved, instead of what is deployed. */
  readonly isDraft?: boolean;
}

export interface DeployedElsewhere {
  readonly workflow: Workflow;
  /** The triggers that have a new address, in the order of the definition. */
  readonly moved: readonly MovedTrigger[];
}

export interface WorkflowPort {
  list(query: WorkflowQuery, options?: CallOptions): Promise<Page<Workflow>>;
  /** Reads as many workflows as wanted, however few the service puts on a page. */
  listWhole(read: WholeRead): Promise<readonly Workflow[]>;
  /** May search the list where the service doesn't return single workflows. */
  get(workflowId: string, options?: CallOptions): Promise<Workflow>;
  /** Never searches the list: rejects with "notOffered" where the service has no endpoint for a single workflow. */
  getOne(workflowId: string, options?: CallOptions): Promise<Workflow>;
  create(workflow: JsonObject, options?: CallOptions): Promise<Workflow>;
  update(workflowId: string, changes: JsonObject, options?: CallOptions): Promise<Workflow>;
  /** Also resolves when the workflow is already gone after a delete call whose response was lost. */
  delete(workflowId: string, options?: CallOptions): Promise<void>;
  /** Puts it away with its executions; nothing executes it anymore. undefined: this kind of service can't. */
  archive?(workflowId: string, options?: CallOptions): Promise<Workflow>;
  /** Takes it back, undeployed. Also resolves when it wasn't archived. undefined: as for `archive`. */
  unarchive?(workflowId: string, options?: CallOptions): Promise<Workflow>;
  import(workflow: JsonObject, options?: CallOptions): Promise<Workflow>;
  /** Without a name, the service or the client chooses one. */
  duplicate(workflowId: string, name: string | undefined, options?: CallOptions): Promise<Workflow>;
  deploy(workflowId: string, options?: CallOptions): Promise<Workflow>;
  /**
   * Gives new addresses to the triggers that listen where those of another deployed workflow do, saves that, and deploys it. undefined: this
   * kind of service has no such addresses.
   */
  deployElsewhere?(workflowId: string, options?: CallOptions): Promise<DeployedElsewhere>;
  /** Also resolves when the workflow wasn't deployed. */
  undeploy(workflowId: string, options?: CallOptions): Promise<Workflow>;
  /** What executions can begin at. undefined: this kind of service begins at one node. */
  triggers?(workflowId: string, options?: TriggersOptions): Promise<readonly StartTrigger[]>;
  /** Lets the MCP server of the service execute the workflow. undefined: this kind of service has none. */
  allowMcp?(workflowId: string, options?: CallOptions): Promise<Workflow>;
  /** Sent again only where nothing ran for certain. */
  execute(workflowId: string, input: JsonObject, options?: TriggerOptions): Promise<Triggered>;
  /** Executes a definition's text as it is, saved and deployed or not. */
  executeDraft(workflowId: string, draft: DraftRequest, options?: TriggerOptions): Promise<Triggered>;
  /** From the next execution on, nodes are reported while they run. See `Workflow.reportsNodesAtEnd`. */
  saveProgress(workflowId: string, options?: CallOptions): Promise<Workflow>;
  /** Returns the request that executes the workflow, for code that sends it itself. Throws "notOffered". */
  describeExecution(workflowId: string, input: JsonObject): DescribedRequest;
}

/** Rows without duplicates, in order. isWhole: false when there are more than are read in one go. */
export interface LogsRead {
  readonly rows: readonly NodeLog[];
  readonly isWhole: boolean;
}

/** Why following is waiting. */
export type Interruption =
  /** The connection dropped. The next attempt starts after the delay. */
  | { readonly kind: 'lost'; readonly error: Error; readonly retryInMs: number }
  /** The budget or the service's rate limit requires a pause. */
  | { readonly kind: 'paused'; readonly resumeInMs: number };

/** The items of a followed execution. */
export type FollowItem =
  | Interruption
  | { readonly kind: 'open'; readonly by: 'stream' | 'polling' }
  /**
   * Rows that arrived together, in order, at least one. A service may repeat rows, changed or not; their keys identify them.
   */
  | { readonly kind: 'logs'; readonly logs: readonly NodeLog[] }
  /** The execution's end, as reported by the service. */
  | { readonly kind: 'end'; readonly status: Status };

/** The rows after a sequence; default: all. */
interface LogPosition {
  readonly after?: number;
}

export interface LogPiece extends LogPosition {
  /** In characters. Where rows are numbered and come in their order, reading ends with the page that reaches it. Default: 64 Mi. */
  readonly maximumSize?: number;
}

export interface ExecutionPort {
  list(query: ExecutionQuery, options?: CallOptions): Promise<Page<Execution>>;
  /** Reads as many executions as wanted, however few the service puts on a page. */
  listWhole(
    query: Pick<ExecutionQuery, 'workflowId' | 'status' | 'kind'>,
    read: WholeRead,
  ): Promise<readonly Execution[]>;
  get(executionId: string, options?: CallOptions): Promise<Execution>;
  /** Reads the record with the input, which `get` may omit. */
  getWithInput(executionId: string, options?: CallOptions): Promise<Execution>;
  /** Returns the record as it is then: a node may still have to end. */
  cancel(executionId: string, options?: CallOptions): Promise<Execution>;
  /** Starts a new execution that goes on from where this one failed or was cancelled, or from a node. */
  retry(executionId: string, request: RetryRequest, options?: TriggerOptions): Promise<Triggered>;
  /** Reads the output, which may not exist yet. */
  output(executionId: string, options?: CallOptions): Promise<Output>;
  /** Reads the definition that it ran, with the members that definitions of this kind of service have. Rejects with "notFound" where it isn't kept. */
  definition(executionId: string, options?: CallOptions): Promise<JsonObject>;
  /** Returns the rows, oldest first, as many as are read in one go. */
  logs(executionId: string, piece: LogPiece, options?: CallOptions): Promise<LogsRead>;
  /** Returns one row with its whole values, which `logs` may truncate. */
  getNodeLog(executionId: string, logId: string, options?: CallOptions): Promise<NodeLog>;
  /** Follows until the execution ends. Resumes after drops. Throws errors that retrying can't fix. */
  follow(executionId: string, position: LogPosition, signal: AbortSignal): AsyncIterable<FollowItem>;
}

/** The items of listening for portal events. */
export type PortalEventItem =
  | Interruption
  /** Every later event is an item; earlier ones are in the list. */
  | { readonly kind: 'open'; readonly by: 'stream' | 'polling' }
  | { readonly kind: 'event'; readonly event: PortalEvent }
  /** The position to resume from was deleted. The stream opens again without a position. */
  | { readonly kind: 'gap' };

/** The list of portal events that listening keeps up to date. Transient failures are retried. */
export interface ListenedList {
  /** Reads the list before a connection, if it hasn't been read yet. */
  prepare(): Promise<void>;
  /** The id of the newest known event, to stream after. */
  newestId(): string | undefined;
  /**
   * Adds the events from before a connection or since the last poll to the list. Returns true when there was a new one. isPruned: the
   * service refused the position.
   */
  catchUp(isPruned: boolean): Promise<boolean>;
  /** Resolves when the next poll is due. idlePolls: how many polls in a row found nothing new. */
  untilNextPoll(idlePolls: number): Promise<void>;
}

export interface PortalEventPort {
  list(query: PortalEventQuery, options?: CallOptions): Promise<Page<PortalEvent>>;
  /** Reads as many events as wanted, however few the service puts on a page. */
  listWhole(read: WholeRead): Promise<readonly PortalEvent[]>;
  /** Streams the events after a given one, or keeps the list up to date by polling. Throws errors that retrying can't fix. */
  stream(after: string | undefined, signal: AbortSignal, list?: ListenedList): AsyncIterable<PortalEventItem>;
  /** Resolves with the ids of the created events, where the service reports them. */
  send(event: JsonObject, options?: CallOptions): Promise<readonly string[]>;
}

/** The MCP server of a service, which takes a token of its own. */
export interface McpPort {
  /** Asks for its tools. Rejects with "mcpTokenRejected" for a token that it doesn't accept. */
  verify(options?: CallOptions): Promise<void>;
}

/** What a service knows of the types of nodes. Both resolve with undefined where it isn't asked: there's no token for it, or it has no such tool. */
export interface NodeTypePort {
  /** The parameters of a node of this type. Asked once for each form of it. */
  describe(query: NodeTypeQuery): Promise<readonly NodeParameter[] | undefined>;
  /** What is wrong with the parameters of each of the nodes. */
  check(
    nodes: readonly CheckedNode[],
    options?: CallOptions,
  ): Promise<readonly (readonly ParameterFault[])[] | undefined>;
}

/** A service with one key. Disposing cancels all calls and streams. */
export interface ServicePort extends Disposable {
  readonly workflows: WorkflowPort;
  readonly executions: ExecutionPort;
  readonly portalEvents: PortalEventPort;
  /** undefined: this kind of service has none. */
  readonly mcp?: McpPort;
  /** undefined: this kind of service says nothing about them. */
  readonly nodeTypes?: NodeTypePort;
  /** The rights that the key lacks, as far as the service says. undefined: keys of this kind of service have no rights of their own. */
  missingRights?(): Promise<readonly KeyRight[]>;
  /**
   * Where a workflow, one of its executions, or a node of that is seen in a browser. `nodeId`: as the definition's own member says it.
   * undefined: this kind of service has no such pages.
   */
  pageOf?(workflowId: string, executionId?: string, nodeId?: string): string;
  readonly budget: ObservedBudget;
  /** How many milliseconds the service's clock is ahead of this machine's, as its last response said; 0 before. Negative: it's behind. */
  readonly clockAheadMs: number;
  /** Operations found to be missing, until one of them works. */
  readonly notOffered: Observable<ReadonlySet<OperationName>>;
  /** What the service offers of what not every service has, as far as it has said. */
  readonly capabilities: Observable<ReadonlySet<Capability>>;
  /** Asks for what the service's version decides, and resolves with all that is known then. Never rejects. */
  learnOffers?(): Promise<ReadonlySet<Capability>>;
  readonly traits: ServiceTraits;
}
