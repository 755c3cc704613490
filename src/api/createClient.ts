// Builds the whole client of one connection from its ports.
import type { Logger } from '../base/logger.ts';
import { type Clock, systemClock } from '../base/time.ts';
import { ServiceError } from '../domain/serviceError.ts';
import type { OperationOverrides } from '../protocol/operationOverrides.ts';
import type { Budgets } from './budget/budgets.ts';
import type { RequestBudget } from './budget/budget.ts';
import { createExecutionCalls } from './resources/executions.ts';
import { createPortalEventCalls } from './resources/portalEvents.ts';
import { createExecutionPlaces } from './resources/executionPlaces.ts';
import { createWorkflowCalls } from './resources/workflows.ts';
import type { ServiceClient } from './client.ts';
import type { HttpPort } from './http/httpPort.ts';
import { createLadder } from './endpoints/endpointFallback.ts';
import type { Authorize } from './request/sender.ts';
import { createTransport } from './request/transport.ts';

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
  /** Default: the machine's. */
  readonly clock?: Clock;
  /** Default Math.random. */
  readonly random?: () => number;
}

/** Puts the key in the header, unless it is missing or surely no key of this service. */
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

const noOverrides: OperationOverrides = {};

/** A client of one connection. Disposing cancels what is under way. */
export function createClient(deps: ClientDeps): ServiceClient {
  const { http, baseUrl, logger } = deps;
  const budget = deps.budgets.open(baseUrl);
  const tools = { clock: deps.clock ?? systemClock, random: deps.random ?? Math.random };
  const ladder = createLadder({
    transport: createTransport({ http, baseUrl, authorize: bearer(deps, budget), budget, logger, ...tools }),
    overrides: deps.overrides ?? (() => noOverrides),
    clock: tools.clock,
  });
  const places = createExecutionPlaces();
  return Object.freeze({
    workflows: createWorkflowCalls(ladder, logger, places),
    executions: createExecutionCalls(ladder, logger, places, tools),
    portalEvents: createPortalEventCalls(ladder, logger, tools),
    budget: budget.state,
    notOffered: ladder.notOffered,
    dispose: () => ladder.dispose(),
  });
}
