// Composes the client and the model for one service, as `app.ts` does for the connections of a window.
import { Budgets } from '../api/budget/budgets.ts';
import { Ledger, machineUptime } from '../api/budget/ledger/ledger.ts';
import { createClient } from '../api/client.ts';
import { HttpLoader } from '../api/http/httpLoader.ts';
import type { HttpPort } from '../api/http/httpPort.ts';
import { createN8nClient } from '../api/n8n/client.ts';
import { DisposableStore, toDisposable } from '../base/disposable.ts';
import { type Event, type Observable, ObservableValue } from '../base/event.ts';
import { type Logger, silentLogger } from '../base/logger.ts';
import { registerSecretForMasking } from '../base/masking.ts';
import { type Clock, systemClock } from '../base/time.ts';
import type { Connection } from '../domain/connection.ts';
import { ConnectionError } from '../domain/errors.ts';
import { checkBaseUrl, checkSecrets } from '../model/connections/connectionChecks.ts';
import { Clients, type KnownConnections, Services } from '../model/connections/clients.ts';
import { Executions } from '../model/executions/executions.ts';
import { Following } from '../model/executions/following.ts';
import { RowStore } from '../model/log/rowStore.ts';
import type { ClientFactory } from '../model/ports.ts';
import { RequestWaits } from '../model/requestWaits.ts';
import { ExecutionSearches } from '../model/search/executionSearches.ts';
import { WorkflowActions } from '../model/workflows/workflowActions.ts';
import { Workflows } from '../model/workflows/workflows.ts';
import type { ServiceKind } from '../workflowFiles/workflowsFile.ts';
import { logLines } from '../words/renderLogLine.ts';
import { findLedger } from './ledgerPath.ts';

export interface ServiceAddress {
  readonly url: string;
  readonly kind: ServiceKind;
}

export interface ServiceSecrets {
  readonly apiKey: string;
  /** For the MCP server of an n8n instance. */
  readonly mcpToken?: string | undefined;
}

export interface ServiceOptions {
  /** The file of the ledger that counts requests. Default: that of the windows of this machine. */
  readonly ledgerPath?: string;
  /** Default: none. */
  readonly logger?: Logger;
  /** Default: the machine's. */
  readonly clock?: Clock;
  /** Monotonic milliseconds, the same in all processes on this machine. Default: since its start. */
  readonly uptime?: () => number;
  /** Default: undici, loaded with the first request. */
  readonly http?: () => Promise<HttpPort>;
}

const connectionId = 'program';
/** A service may have chosen its own prefix, and a program has no setting for it. */
const keyPrefix = (): string => '';

/** The only connection, which is stored nowhere. */
class OneConnection implements KnownConnections {
  readonly all: Observable<readonly Connection[]>;
  readonly active: Observable<Connection | null>;
  readonly #connection: Connection;
  readonly #secrets: ServiceSecrets;

  constructor(connection: Connection, secrets: ServiceSecrets) {
    this.#connection = connection;
    this.#secrets = secrets;
    this.all = new ObservableValue([connection]);
    this.active = new ObservableValue<Connection | null>(connection);
  }

  readonly onDidChangeKey: Event<string> = () => toDisposable(() => undefined);

  find(id: string): Connection | undefined {
    return id === this.#connection.id ? this.#connection : undefined;
  }

  get(id: string): Connection {
    const found = this.find(id);
    if (found === undefined) throw new ConnectionError({ kind: 'unknownConnection', connectionId: id });
    return found;
  }

  readKey(): Promise<string> {
    return Promise.resolve(this.#secrets.apiKey);
  }

  readMcpToken(): Promise<string | undefined> {
    return Promise.resolve(this.#secrets.mcpToken);
  }

  reload(): void {
    // Nothing else knows this connection.
  }
}

export type OpenService = ReturnType<typeof openService>;

/**
 * Opens a service. Sends nothing until something is asked; dispose of it at the end. Throws a ConnectionError for an address or a secret that
 * can't be right.
 */
export function openService(
  { url, kind }: ServiceAddress,
  given: ServiceSecrets,
  options: ServiceOptions = {},
) {
  const { ledgerPath = findLedger(), logger = silentLogger } = options;
  const { clock = systemClock, uptime = machineUptime } = options;
  const connectionKind = kind === 'n8n' ? 'n8n' : 'remote';
  const baseUrl = checkBaseUrl(url, connectionKind);
  const secrets = checkSecrets(given, keyPrefix(), connectionKind);
  registerSecretForMasking(secrets.apiKey);
  if (secrets.mcpToken !== undefined) registerSecretForMasking(secrets.mcpToken);
  const owned = new DisposableStore();
  const http = options.http ?? owned.add(new HttpLoader(() => ({}))).load;
  const ledger = owned.add(new Ledger({ path: ledgerPath, uptime, clock, logger }));
  const budgets = owned.add(new Budgets({ clock, uptime, ledger }));
  const requestWaits = owned.add(new RequestWaits(['asked', 'tests', 'search']));
  const createServiceClient: ClientFactory = (connection, key, owner, mcpToken) => {
    const shared = { http, baseUrl: connection.baseUrl, key, logger, owner, waits: requestWaits };
    if (connection.kind === 'n8n') return createN8nClient({ ...shared, mcpToken, clock });
    return createClient({ ...shared, clock, keyPrefix, budgets });
  };
  const connection = {
    id: connectionId,
    name: new URL(baseUrl).host,
    kind: connectionKind,
    baseUrl,
  } as const;
  const connections = new OneConnection(connection, secrets);
  const clients = owned.add(new Clients(connections, createServiceClient));
  const workflows = owned.add(new Workflows(connections, clients, clock));
  const rows = owned.add(new RowStore({ logger, lines: logLines, keyPrefix }));
  const executions = owned.add(new Executions(connections, clients, clock, rows));
  return {
    connectionId,
    connections,
    clients,
    services: new Services(clients),
    workflows,
    executions,
    searches: owned.add(new ExecutionSearches({ connections, clients, executions, workflows, clock })),
    following: owned.add(new Following({ connections, clients, executions, clock, logger })),
    actions: owned.add(new WorkflowActions({ clients, workflows, executions, clock })),
    requestWaits,
    clock,
    dispose: () => owned.dispose(),
  };
}
