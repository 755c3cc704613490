// The model's portal events over real clients, to services as a test brings them.
import { Budgets } from '../../src/api/budget/budgets.ts';
import { createClient } from '../../src/api/client.ts';
import type { HttpPort } from '../../src/api/http/httpPort.ts';
import type { Disposable } from '../../src/base/disposable.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { Clients } from '../../src/model/connections/clients.ts';
import { Connections } from '../../src/model/connections/connections.ts';
import type { Clock } from '../../src/base/time.ts';
import type { ClientFactory } from '../../src/model/ports.ts';
import { PortalEvents } from '../../src/model/portalEvents/portalEvents.ts';
import type { PortalEventsState } from '../../src/model/portalEvents/portalEventsState.ts';
import { MemoryRecords, MemorySecrets, MemoryState } from './memory/ports.ts';

export interface PortalEventsWorld extends Disposable {
  readonly connections: Connections;
  readonly clients: Clients;
  readonly portalEvents: PortalEvents;
  /** Adds a connection and makes it the active one; answers its id. */
  connect(baseUrl: string, apiKey: string): Promise<string>;
}

export interface PortalEventsWorldDeps {
  readonly http: HttpPort;
  readonly clock: Clock;
  readonly globalState?: MemoryState;
  readonly records?: MemoryRecords;
}

export function createPortalEventsWorld({
  http,
  clock,
  globalState = new MemoryState(),
  records = new MemoryRecords(),
}: PortalEventsWorldDeps): PortalEventsWorld {
  const create: ClientFactory = ({ baseUrl }, key, owner) =>
    createClient({
      owner,
      http: () => Promise.resolve(http),
      baseUrl,
      key,
      keyPrefix: () => 'svc_sk_',
      budgets: new Budgets({ clock, requestsPerMinute: 100_000 }),
      logger: silentLogger,
      clock,
      random: () => 0,
    });
  let count = 0;
  const connections = new Connections({
    records,
    workspaceState: new MemoryState(),
    secrets: new MemorySecrets(),
    createClient: create,
    clock,
    keyPrefix: () => 'svc_sk_',
    createId: () => `connection_${(count += 1)}`,
  });
  const clients = new Clients(connections, create);
  const portalEvents = new PortalEvents({ connections, clients, globalState, clock, logger: silentLogger });
  return {
    connections,
    clients,
    portalEvents,
    async connect(baseUrl, apiKey) {
      const { id } = await connections.add({ name: baseUrl, baseUrl, apiKey }, { verify: 'never' });
      await connections.switchTo(id);
      return id;
    },
    dispose() {
      portalEvents.dispose();
      clients.dispose();
      connections.dispose();
    },
  };
}

/** Resolves as soon as the state is as wanted. */
export function stateWhen(
  { state }: PortalEvents,
  isWanted: (state: PortalEventsState) => boolean,
): Promise<PortalEventsState> {
  return new Promise((resolve) => {
    const subscription = state.onDidChange((current) => {
      if (!isWanted(current)) return;
      subscription.dispose();
      resolve(current);
    });
    if (!isWanted(state.current)) return;
    subscription.dispose();
    resolve(state.current);
  });
}
