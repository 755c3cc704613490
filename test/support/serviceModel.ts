// The model over the real client and the real service, with no socket between them.
import { randomUUID } from 'node:crypto';
import type { HttpPort } from '../../src/api/http/httpPort.ts';
import { Budgets } from '../../src/api/budget/budgets.ts';
import { createClient } from '../../src/api/client.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { systemClock } from '../../src/base/time.ts';
import { Clients, Services } from '../../src/model/connections/clients.ts';
import { Connections } from '../../src/model/connections/connections.ts';
import { Executions } from '../../src/model/executions/executions.ts';
import { Following } from '../../src/model/executions/following.ts';
import type { ClientFactory } from '../../src/model/ports.ts';
import { ExecutionSearches } from '../../src/model/search/executionSearches.ts';
import { WorkflowActions } from '../../src/model/workflows/workflowActions.ts';
import { Workflows } from '../../src/model/workflows/workflows.ts';
import { createAppPort } from './appPort.ts';
import { createRowStore } from './memory/logs.ts';
import { MemoryRecords, MemorySecrets, MemoryState } from './memory/ports.ts';
import { createTestService, type TestService } from './service.ts';

export type ServiceModel = Awaited<ReturnType<typeof createServiceModel>>;

export interface ServiceModelOptions {
  /** Default: counts this model alone, by the real clock. */
  readonly budgets?: Budgets;
  /** Called for each request. */
  readonly onRequest?: () => void;
  /** Stands between the client and the service. */
  readonly through?: (port: HttpPort) => HttpPort;
}

/** With one connection to the service, which is active. */
export async function createServiceModel(
  service: TestService,
  {
    budgets = new Budgets({ clock: systemClock }),
    onRequest,
    through = (port) => port,
  }: ServiceModelOptions = {},
) {
  const port = through(createAppPort(service.app));
  const http: typeof port = (...request) => {
    onRequest?.();
    return port(...request);
  };
  const createServiceClient: ClientFactory = ({ baseUrl }, key, owner) =>
    createClient({
      owner,
      http: () => Promise.resolve(http),
      baseUrl,
      key,
      keyPrefix: () => 'svc_sk_',
      logger: silentLogger,
      budgets,
    });
  const connections = new Connections({
    records: new MemoryRecords(),
    workspaceState: new MemoryState(),
    secrets: new MemorySecrets(),
    createClient: createServiceClient,
    clock: systemClock,
    keyPrefix: () => 'svc_sk_',
    createId: randomUUID,
  });
  const clients = new Clients(connections, createServiceClient);
  const workflows = new Workflows(connections, clients, systemClock);
  const executions = new Executions(connections, clients, systemClock, createRowStore());
  const actions = new WorkflowActions({ clients, workflows, executions, clock: systemClock });
  const following = new Following({
    connections,
    clients,
    executions,
    clock: systemClock,
    logger: silentLogger,
  });
  const { id: connectionId } = await connections.add({
    name: 'Local',
    baseUrl: 'http://127.0.0.1:4100/v1',
    apiKey: service.key,
  });
  return {
    connections,
    clients,
    services: new Services(clients),
    workflows,
    executions,
    searches: new ExecutionSearches({ connections, clients, executions, workflows, clock: systemClock }),
    actions,
    following,
    connectionId,
    dispose: () => {
      for (const part of [following, executions, workflows, clients, connections]) part.dispose();
    },
  };
}

/** Starts a service with a model before each test of the suite, and ends both after it. */
export function startServiceModelForEach(take: (model: ServiceModel) => void): void {
  let end = (): Promise<void> => Promise.resolve();
  beforeEach(async () => {
    const service = await createTestService({ requestsPerMinute: 1000 });
    const model = await createServiceModel(service);
    end = () => {
      model.dispose();
      return service.dispose();
    };
    take(model);
  });
  afterEach(() => end());
}
