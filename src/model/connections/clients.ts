import type { NodeTypePort, ServicePort } from '../../api/servicePort.ts';
import type { Disposable } from '../../base/disposable.ts';
import { Emitter, type Observable, ObservableValue } from '../../base/event.ts';
import type { JsonObject } from '../../base/json.ts';
import type { ObservedBudget } from '../../domain/budget.ts';
import type { DescribedRequest } from '../../domain/httpExchange.ts';
import { type ServiceTraits, serviceTraits } from '../../domain/serviceTraits.ts';
import type { WorkflowTarget } from '../../domain/targets.ts';
import type { Capability, OperationName } from '../../protocol/operations.ts';
import type { Connections } from './connections.ts';
import type { ClientFactory } from '../ports.ts';
import { ServiceError } from '../../domain/errors.ts';

interface CallFailure {
  readonly connectionId: string;
  readonly error: ServiceError;
}

/** The connections as clients and what is read through them need them. A program of one connection has them without storing any. */
export type KnownConnections = Pick<
  Connections,
  'active' | 'all' | 'find' | 'get' | 'onDidChangeKey' | 'readKey' | 'readMcpToken' | 'reload'
>;

/** One shared client per connection. The client of a removed or moved connection is disposed of, which ends its calls. */
export class Clients implements Disposable {
  readonly #connections: KnownConnections;
  readonly #createClient: ClientFactory;
  readonly #held = new Map<string, { readonly baseUrl: string; readonly client: ServicePort }>();
  readonly #failures = new Emitter<CallFailure>();
  readonly #responses = new Emitter<string>();
  readonly #listener: Disposable;

  constructor(connections: KnownConnections, createClient: ClientFactory) {
    this.#connections = connections;
    this.#createClient = createClient;
    this.#listener = connections.all.onDidChange(() => this.#release());
  }

  /** Fires for every failed call, from any part of the extension. A revoked key shows up in whichever call comes next. */
  readonly onDidFail = this.#failures.event;
  /** Fires for every successful call, with the connection's id. */
  readonly onDidRespond = this.#responses.event;

  /** Returns the connection's client, even if another window created the connection. Throws a ConnectionError "unknownConnection". */
  get(connectionId: string): ServicePort {
    const connections = this.#connections;
    if (!connections.find(connectionId)) connections.reload();
    const connection = connections.get(connectionId);
    const existing = this.#held.get(connectionId);
    if (existing?.baseUrl === connection.baseUrl) return existing.client;
    existing?.client.dispose();
    const readKey = (): Promise<string | undefined> => connections.readKey(connection);
    const onFailure = (error: ServiceError): void => this.#failures.fire({ connectionId, error });
    const onResponse = (): void => this.#responses.fire(connectionId);
    const readToken = (): Promise<string | undefined> => connections.readMcpToken(connection);
    const owner = { connectionId, onFailure, onResponse };
    const client = this.#createClient(connection, readKey, owner, readToken);
    this.#held.set(connectionId, { baseUrl: connection.baseUrl, client });
    return client;
  }

  /** Those of a service of the contract once the connection is removed. */
  traits(connectionId: string): ServiceTraits {
    return this.has(connectionId) ? this.get(connectionId).traits : serviceTraits.remote;
  }

  /** See ServicePort; 0 once the connection is removed. */
  clockAheadMs(connectionId: string): number {
    return this.has(connectionId) ? this.get(connectionId).clockAheadMs : 0;
  }

  /** Whether the connection is there. */
  has(connectionId: string): boolean {
    return this.#connections.find(connectionId) !== undefined;
  }

  dispose(): void {
    this.#listener.dispose();
    this.#failures.dispose();
    this.#responses.dispose();
    for (const { client } of this.#held.values()) client.dispose();
    this.#held.clear();
  }

  #release(): void {
    for (const [connectionId, { baseUrl, client }] of this.#held) {
      if (this.#connections.find(connectionId)?.baseUrl === baseUrl) continue;
      this.#held.delete(connectionId);
      client.dispose();
    }
  }
}

/**
 * The known state of each connection's service, without requests. Unless they say otherwise, members throw a ConnectionError
 * "unknownConnection".
 */
export class Services {
  readonly #clients: Clients;
  readonly #nothing = new ObservableValue<ReadonlySet<never>>(new Set());

  constructor(clients: Clients) {
    this.#clients = clients;
  }

  /** The requests that the connection's key has left. */
  budget(connectionId: string): ObservedBudget {
    return this.#clients.get(connectionId).budget;
  }

  /** The request that executes the workflow with this input, as code of the user's sends it. */
  describeExecution({ connectionId, workflowId }: WorkflowTarget, input: JsonObject): DescribedRequest {
    return this.#clients.get(connectionId).workflows.describeExecution(workflowId, input);
  }

  /** The operations that the service doesn't offer in any form, until they succeed. None once the connection is removed. */
  notOffered(connectionId: string): Observable<ReadonlySet<OperationName>> {
    return this.#clients.has(connectionId) ? this.#clients.get(connectionId).notOffered : this.#nothing;
  }

  /** What holds for all services of the kind; those of the contract once the connection is removed. */
  traits(connectionId: string): ServiceTraits {
    return this.#clients.traits(connectionId);
  }

  /** Where a workflow, one of its executions, or a node of that is seen in a browser; undefined for a service without pages. */
  pageOf(
    { connectionId, workflowId }: WorkflowTarget,
    executionId?: string,
    nodeId?: string,
  ): string | undefined {
    return this.#clients.get(connectionId).pageOf?.(workflowId, executionId, nodeId);
  }

  /** What the service says about the types of nodes; undefined where it says nothing, and once the connection is removed. */
  nodeTypes(connectionId: string): NodeTypePort | undefined {
    return this.#clients.has(connectionId) ? this.#clients.get(connectionId).nodeTypes : undefined;
  }

  /** Whether the service has advertised this optional capability; false once the connection is removed. */
  offers(connectionId: string, capability: Capability): boolean {
    return this.capabilities(connectionId).current.has(capability);
  }

  /** Asks what the service offers where its version decides that; undefined where it doesn't, and once the connection is removed. */
  async learnOffers(connectionId: string): Promise<ReadonlySet<Capability> | undefined> {
    return this.#clients.has(connectionId) ? this.#clients.get(connectionId).learnOffers?.() : undefined;
  }

  /** Throws a ServiceError "notOffered" unless the service offers this. For what no call of its own refuses. */
  demand(connectionId: string, capability: Capability): void {
    if (this.offers(connectionId, capability)) return;
    const { product: by } = this.traits(connectionId);
    const message = `"${capability}" is not offered by ${by ?? 'this service'}.`;
    const reason = {
      kind: 'notOffered',
      isNotAdvertised: true,
      ...(by === undefined ? {} : { by }),
    } as const;
    throw new ServiceError(reason, message, { connectionId });
  }

  /**
   * What the service offers beyond its own document, as far as it has said. Nothing once the connection is removed: what shows its
   * documents stays open for a moment longer, or until somebody closes it.
   */
  capabilities(connectionId: string): Observable<ReadonlySet<Capability>> {
    return this.#clients.has(connectionId) ? this.#clients.get(connectionId).capabilities : this.#nothing;
  }
}
