// The whole model over memory, built as the extension builds it, for tests of what its parts do together.
import { DefinitionTargets } from '../../../src/ui/definitionTargets.ts';
import { DefinitionTexts } from '../../../src/ui/definitionTexts.ts';
import { Ages } from '../../../src/editor/tree/ages.ts';
import { RequestWaits } from '../../../src/model/requestWaits.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import { Clients, Services } from '../../../src/model/connections/clients.ts';
import { ConnectionTroubles } from '../../../src/model/connections/connectionTroubles.ts';
import { Connections } from '../../../src/model/connections/connections.ts';
import { Executions } from '../../../src/model/executions/executions.ts';
import { Pins } from '../../../src/model/pins/pins.ts';
import { RanDefinitions } from '../../../src/model/workflows/ranDefinitions.ts';
import { ExecutionSearches } from '../../../src/model/search/executionSearches.ts';
import { SavedSearches } from '../../../src/model/search/savedSearches.ts';
import { Selection } from '../../../src/model/selection/selection.ts';
import { Following } from '../../../src/model/executions/following.ts';
import type { ClientFactory } from '../../../src/model/ports.ts';
import { WorkflowActions } from '../../../src/model/workflows/workflowActions.ts';
import { Workflows } from '../../../src/model/workflows/workflows.ts';
import { MemoryLinks } from './links.ts';
import { createRowStore } from './logs.ts';
import { HandClock, MemoryRecords, MemorySecrets, MemoryState } from './ports.ts';
import { createMemoryNetwork, MemoryService } from './service.ts';

export interface World {
  readonly first: MemoryService;
  readonly second: MemoryService;
  readonly clock: HandClock;
  readonly ages: Ages;
  readonly links: MemoryLinks;
  readonly definitionTargets: DefinitionTargets;
  readonly definitionTexts: DefinitionTexts;
  readonly requestWaits: RequestWaits;
  readonly records: MemoryRecords;
  readonly globalState: MemoryState;
  readonly workspaceState: MemoryState;
  readonly secrets: MemorySecrets;
  readonly connections: Connections;
  readonly clients: Clients;
  readonly services: Services;
  readonly connectionTroubles: ConnectionTroubles;
  readonly workflows: Workflows;
  readonly executions: Executions;
  readonly selection: Selection;
  readonly pins: Pins;
  readonly actions: WorkflowActions;
  readonly following: Following;
  readonly ranDefinitions: RanDefinitions;
  readonly searches: ExecutionSearches;
  readonly savedSearches: SavedSearches;
}

export const firstUrl = 'https://first.example/v1';
export const secondUrl = 'https://second.example/v1';

/** Two services that can be reached, and no connection yet. given: other clients than those of the two, with their clock. */
export function createWorld(given?: {
  readonly createClient: ClientFactory;
  readonly clock: HandClock;
}): World {
  const first = new MemoryService();
  const second = new MemoryService();
  const memory = createMemoryNetwork({
    'https://first.example': first,
    'https://second.example': second,
  });
  const createClient = given?.createClient ?? memory;
  const clock = given?.clock ?? new HandClock();
  const records = new MemoryRecords();
  const globalState = new MemoryState();
  const workspaceState = new MemoryState();
  const secrets = new MemorySecrets();
  let count = 0;
  const connections = new Connections({
    records,
    workspaceState,
    secrets,
    createClient,
    clock,
    keyPrefix: () => 'svc_sk_',
    createId: () => `connection_${(count += 1)}`,
  });
  const clients = new Clients(connections, createClient);
  const services = new Services(clients);
  const workflows = new Workflows(connections, clients, clock);
  const executions = new Executions(connections, clients, clock, createRowStore());
  const actions = new WorkflowActions({ clients, workflows, executions, clock });
  const following = new Following({ connections, clients, executions, clock, logger: silentLogger });
  const links = new MemoryLinks();
  const definitionTargets = new DefinitionTargets(links);
  return {
    first,
    second,
    clock,
    ages: new Ages(clock),
    links,
    definitionTargets,
    definitionTexts: new DefinitionTexts({ clock, definitionTargets, services }),
    requestWaits: new RequestWaits(),
    records,
    globalState,
    workspaceState,
    secrets,
    connections,
    clients,
    services,
    connectionTroubles: new ConnectionTroubles({ connections, clients }),
    workflows,
    executions,
    selection: new Selection(),
    pins: new Pins(workspaceState, () => 'svc_sk_'),
    actions,
    following,
    searches: new ExecutionSearches({ connections, clients, executions, workflows, clock }),
    savedSearches: new SavedSearches({
      records: new MemoryRecords(),
      connections,
      keyPrefix: () => 'svc_sk_',
    }),
    ranDefinitions: new RanDefinitions({ clients, workflows, clock, logger: silentLogger }),
  };
}

/** Adds a connection to each of the two services; the first one is active. Answers their ids. */
export async function connectBoth({ connections }: World): Promise<readonly [string, string]> {
  const apiKey = 'svc_sk_good';
  const first = await connections.add({ name: 'First', baseUrl: firstUrl, apiKey }, { verify: 'never' });
  const second = await connections.add({ name: 'Second', baseUrl: secondUrl, apiKey }, { verify: 'never' });
  await connections.switchTo(first.id);
  return [first.id, second.id];
}
