import { BoundedMap } from '../base/boundedMap.ts';
import type { Logger } from '../base/logger.ts';
import type { OperationOverrides } from '../protocol/operationOverrides.ts';
import type { Budgets } from './budget/budgets.ts';
import { Capabilities } from './endpoints/capabilities.ts';
import { EndpointFallback } from './endpoints/endpointFallback.ts';
import type { HttpPort } from './http/httpPort.ts';
import type { Authorize } from './request/sender.ts';
import { ServiceClock } from './request/serviceClock.ts';
import { readStoredSecret } from './request/storedSecret.ts';
import { RequestTransport, type Waits } from './request/transport.ts';
import { ExecutionCalls } from './resources/executions.ts';
import { PortalEventCalls } from './resources/portalEvents.ts';
import { WorkflowCalls } from './resources/workflows.ts';
import type { ClientOwner, KeyReader, ServicePort } from './servicePort.ts';
import { type Clock, systemClock } from '../base/time.ts';
import { serviceTraits } from '../domain/serviceTraits.ts';

export interface ClientDeps {
  /** Loads the port on first use. Called for each request, so it may return a different port later. */
  readonly http: () => Promise<HttpPort>;
  /** Ends in the version segment. Must be https: except on loopback; otherwise every call rejects. */
  readonly baseUrl: string;
  /** Reads the key, called for each request; undefined when there's none. */
  readonly key: KeyReader;
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

/** Puts the key in the header. Rejects when the key is missing or can't be valid. */
function bearer({ key, keyPrefix }: ClientDeps): Authorize {
  return async () => {
    const rules = { name: 'API key', prefix: keyPrefix(), code: 'key_prefix' };
    const secret = await readStoredSecret(key, rules);
    return { headers: { Authorization: `Bearer ${secret}` }, secret };
  };
}

/** Maximum number of executions whose workflow is remembered. */
const maximumExecutions = 10_000;
const noOverrides: OperationOverrides = {};

/** Sends nothing until the first call. Disposing cancels all calls and streams. */
export function createClient(deps: ClientDeps): ServicePort {
  const { http, baseUrl, budgets, logger, owner, overrides = () => noOverrides } = deps;
  const { clock = systemClock, random = Math.random, waits } = deps;
  const budget = budgets.open(baseUrl);
  const capabilities = new Capabilities(overrides);
  const serviceClock = new ServiceClock(clock);
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
      onHeaders: (headers) => {
        capabilities.note(headers);
        serviceClock.note(headers);
      },
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
    get clockAheadMs() {
      return serviceClock.aheadMs;
    },
    notOffered: transport.notOffered,
    capabilities: capabilities.offered,
    traits: serviceTraits.remote,
    dispose: () => transport.dispose(),
  };
}
