import { BoundedMap } from '../base/boundedMap.ts';
import type { Disposable } from '../base/disposable.ts';
import type { Logger } from '../base/logger.ts';
import type { Observable } from '../base/event.ts';
import type { ObservedBudget } from '../domain/budget.ts';
import { ServiceError } from '../domain/errors.ts';
import type { Capability, OperationName } from '../protocol/operations.ts';
import type { OperationOverrides } from '../protocol/operationOverrides.ts';
import type { Budgets } from './budget/budgets.ts';
import { Capabilities } from './endpoints/capabilities.ts';
import { EndpointFallback } from './endpoints/endpointFallback.ts';
import type { HttpPort } from './http/httpPort.ts';
import type { Authorize } from './request/sender.ts';
import { type ClientOwner, RequestTransport, type Waits } from './request/transport.ts';
import { ExecutionCalls } from './resources/executions.ts';
import { PortalEventCalls } from './resources/portalEvents.ts';
import { WorkflowCalls } from './resources/workflows.ts';
import { type Clock, systemClock } from '../base/time.ts';

export interface ClientDeps {
  /** Loads the port on first use. Called for each request, so it may return a different port later. */
  readonly http: () => Promise<HttpPort>;
  /** Ends in the version segment. Must be https: except on loopback; otherwise every call rejects. */
  readonly baseUrl: string;
  /** Reads the key, called for each request; undefined when there's none. */
  readonly key: () => Promise<string | undefined>;
  /** The prefix that keys must have. */
  readonly keyPrefix: () => string;
  /** The user's endpoint overrides. Must return the same object until they change. Default: none. */
  readonly overrides?: () => OperationOverrides;
  /** Shared by all clients of this process, so that clients with the same key share one budget. */
  readonly budgets: Budgets;
  readonly logger: Logger;
  /** Default: none, so errors name no connection. */
  readonly owner?: ClientOwner | undefined;
  /** Default: none, so no request waits longer than its purpose allows. */
  readonly waits?: Waits | undefined;
  /** Default: the system clock. */
  readonly clock?: Clock;
  /** Default: Math.random. */
  readonly random?: () => number;
}

/** A class's public members, so that objects without its private members fit as well. */
type Members<T> = Pick<T, keyof T>;

export interface ServiceClient extends Disposable {
  readonly workflows: Members<WorkflowCalls>;
  readonly executions: Members<ExecutionCalls>;
  readonly portalEvents: Members<PortalEventCalls>;
  readonly budget: ObservedBudget;
  /** Operations found to be missing at every known endpoint, until one of them works. */
  readonly notOffered: Observable<ReadonlySet<OperationName>>;
  /** What the service offers beyond its own document, as far as it has told. */
  readonly capabilities: Observable<ReadonlySet<Capability>>;
}

/** Puts the key in the header. Rejects when the key is missing or can't be valid. */
function bearer({ key, keyPrefix }: ClientDeps): Authorize {
  return async () => {
    const secret = await key();
    if (secret === undefined || secret === '')
      throw new ServiceError({ kind: 'keyMissing' }, 'This connection has no API key on this machine.');
    // Headers allow visible ASCII only, and the HTTP port's error could quote the whole key.
    if (!secret.startsWith(keyPrefix()) || !/^[\x21-\x7e]+$/.test(secret)) {
      const code = 'key_prefix';
      const message = `An API key starts with "${keyPrefix()}" and has no spaces.`;
      throw new ServiceError({ kind: 'keyRejected', code }, message, { code });
    }
    return { headers: { Authorization: `Bearer ${secret}` }, secret };
  };
}

/** Maximum number of executions whose workflow is remembered. */
const maximumExecutions = 10_000;
const noOverrides: OperationOverrides = {};

/** Sends nothing until the first call. Disposing cancels all calls and streams. */
export function createClient(deps: ClientDeps): ServiceClient {
  const { http, baseUrl, budgets, logger, owner, overrides = () => noOverrides } = deps;
  const { clock = systemClock, random = Math.random, waits } = deps;
  const budget = budgets.open(baseUrl);
  const capabilities = new Capabilities(overrides);
  const transport = new EndpointFallback({
    transport: new RequestTransport({
      http,
      baseUrl,
      authorize: bearer(deps),
      budget,
      logger,
      clock,
      random,
      owner,
      waits,
      onHeaders: (headers) => capabilities.note(headers),
    }),
    overrides,
    clock,
    capabilities,
  });
  const workflowIds = new BoundedMap<string, string>(maximumExecutions);
  const shared = { transport, logger, workflowIds, clock, random };
  return {
    workflows: new WorkflowCalls(shared),
    executions: new ExecutionCalls(shared),
    portalEvents: new PortalEventCalls(shared),
    budget,
    notOffered: transport.notOffered,
    capabilities: capabilities.offered,
    dispose: () => transport.dispose(),
  };
}
