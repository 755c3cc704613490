// The client of one connection: what the rest of the extension can ask of a service.
import { BoundedMap } from '../base/boundedMap.ts';
import type { Disposable } from '../base/disposable.ts';
import type { Logger } from '../base/logger.ts';
import type { Observable } from '../base/observable.ts';
import type { ObservedBudget } from '../domain/budget.ts';
import { ServiceError } from '../domain/serviceError.ts';
import type { OperationName } from '../protocol/operations.ts';
import type { OperationOverrides } from '../protocol/operationOverrides.ts';
import type { RequestBudget } from './budget/budget.ts';
import type { Budgets } from './budget/budgets.ts';
import { EndpointFallback } from './endpoints/endpointFallback.ts';
import type { HttpPort } from './http/httpPort.ts';
import type { Authorize } from './request/sender.ts';
import { type OnFailure, RequestTransport } from './request/transport.ts';
import { ExecutionCalls } from './resources/executions.ts';
import { PortalEventCalls } from './resources/portalEvents.ts';
import { WorkflowCalls } from './resources/workflows.ts';
import { type Clock, systemClock } from '../base/time.ts';

export interface ClientDeps {
  /** Loads the port on first use; asked for with each request, so it may answer another one later. */
  readonly http: () => Promise<HttpPort>;
  /** Ends in the version segment. https: except on loopback; another one makes every call reject. */
  readonly baseUrl: string;
  /** Reads the key, with each request; undefined when there is none. */
  readonly key: () => Promise<string | undefined>;
  /** What keys start with now. */
  readonly keyPrefix: () => string;
  /** Where the user says that operations lie; the same object until that changes. Default: nowhere else. */
  readonly overrides?: () => OperationOverrides;
  /** Shared by all clients of this process, so that those with the same key count together. */
  readonly budgets: Budgets;
  readonly logger: Logger;
  readonly onFailure?: OnFailure | undefined;
  /** Default: the machine's. */
  readonly clock?: Clock;
  /** Default Math.random. */
  readonly random?: () => number;
}

/** The public members of a class, which an object without its private ones may offer too. */
type Members<T> = Pick<T, keyof T>;

export interface ServiceClient extends Disposable {
  readonly workflows: Members<WorkflowCalls>;
  readonly executions: Members<ExecutionCalls>;
  readonly portalEvents: Members<PortalEventCalls>;
  readonly budget: ObservedBudget;
  /** What the service was found not to offer by any way we know, until it works after all. */
  readonly notOffered: Observable<ReadonlySet<OperationName>>;
}

/** Puts the key in the header, unless it is missing or surely no key of this service; tells the budget which key it is. */
function bearer({ key, keyPrefix }: ClientDeps, budget: RequestBudget): Authorize {
  return async () => {
    const secret = await key();
    if (secret === undefined || secret === '')
      throw new ServiceError({ kind: 'keyMissing' }, 'This connection has no API key on this machine.');
    // A header takes visible ASCII only; the error of a port could quote the whole value.
    if (!secret.startsWith(keyPrefix()) || !/^[\x21-\x7e]+$/.test(secret)) {
      const code = 'key_prefix';
      const message = `An API key starts with "${keyPrefix()}" and has no spaces.`;
      throw new ServiceError({ kind: 'keyRejected', code }, message, { code });
    }
    budget.useKey(secret);
    return { headers: { Authorization: `Bearer ${secret}` }, secret };
  };
}

/** Executions whose workflow is remembered. */
const maximumExecutions = 10_000;
const noOverrides: OperationOverrides = {};

/** Sends nothing before the first call. Disposing cancels what is under way. */
export function createClient(deps: ClientDeps): ServiceClient {
  const { http, baseUrl, budgets, logger, onFailure, overrides = () => noOverrides } = deps;
  const { clock = systemClock, random = Math.random } = deps;
  const budget = budgets.open(baseUrl);
  const authorize = bearer(deps, budget);
  const transport = new EndpointFallback({
    transport: new RequestTransport({ http, baseUrl, authorize, budget, logger, clock, random, onFailure }),
    overrides,
    clock,
  });
  const workflowIds = new BoundedMap<string, string>(maximumExecutions);
  const shared = { transport, logger, workflowIds, clock, random };
  return {
    workflows: new WorkflowCalls(shared),
    executions: new ExecutionCalls(shared),
    portalEvents: new PortalEventCalls(shared),
    budget: budget.state,
    notOffered: transport.notOffered,
    dispose: () => transport.dispose(),
  };
}
