// Composition only: builds the pieces in order, and hands each feature what it needs.
import { schemaOfTriggers } from './definition/triggerInputs.ts';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import * as vscode from 'vscode';
import { Budgets } from './api/budget/budgets.ts';
import { checkRoute } from './api/checkRoute.ts';
import { HttpLoader } from './api/http/httpLoader.ts';
import { Ledger, machineUptime as uptime } from './api/budget/ledger/ledger.ts';
import { type Disposable, DisposableStore } from './base/disposable.ts';
import { systemClock as clock } from './base/time.ts';
import { LaunchError } from './domain/errors.ts';
import { RequestWaits } from './model/requestWaits.ts';
import { Clients, Services } from './model/connections/clients.ts';
import { ConnectionTroubles } from './model/connections/connectionTroubles.ts';
import { Connections } from './model/connections/connections.ts';
import { ExecutionEvents } from './model/executions/executionEvents.ts';
import { Executions } from './model/executions/executions.ts';
import { RanDefinitions } from './model/workflows/ranDefinitions.ts';
import { ExecutionSearches } from './model/search/executionSearches.ts';
import { SavedSearches } from './model/search/savedSearches.ts';
import { Selection } from './model/selection/selection.ts';
import { Following } from './model/executions/following.ts';
import { FreshExecutions } from './model/executions/freshExecutions.ts';
import { InputDrafts } from './model/inputs/inputDrafts.ts';
import { InputHistory } from './model/inputs/inputHistory.ts';
import { InputSchemas } from './model/inputs/inputSchemas.ts';
import { PresetChoices } from './model/inputs/presetChoices.ts';
import { Pins } from './model/pins/pins.ts';
import { LocalSecrets } from './model/secrets.ts';
import { LocalAccess, LocalService } from './model/localService.ts';
import type { ClientFactory, LocalData } from './model/ports.ts';
import { PortalEvents } from './model/portalEvents/portalEvents.ts';
import { WorkflowActions } from './model/workflows/workflowActions.ts';
import { Workflows } from './model/workflows/workflows.ts';
import { connectionsFolder } from './editor/announceConnections.ts';
import { Commands } from './editor/commands.ts';
import { Ages } from './editor/tree/ages.ts';
import { createContextKeys } from './editor/tree/tree.ts';
import { onDidFailInSight } from './editor/documents/documents.ts';
import { ExtensionLog, MementoState, readSecretsKey, EditorSecretStore } from './editor/ports.ts';
import { onDidChange, OperationSettings, readProxySettings, settings } from './editor/settings.ts';
import { RecordFiles } from './editor/recordFiles.ts';
import type { App } from './ui/app.ts';
import type { Logger } from './base/logger.ts';
import type { Surfaces } from './surfaces.ts';
import { startLocalService } from './launcher/startLocalService.ts';
import { requireActiveConnection } from './ui/activeConnection.ts';
import { TestFiles } from './ui/testFiles.ts';
import { DefinitionTargets } from './ui/definitionTargets.ts';
import { LinkedFiles } from './ui/linkedFiles.ts';
import { DefinitionTexts } from './ui/definitionTexts.ts';
import { registerRowKeys } from './ui/rows/rowKeys.ts';
import { findSubject } from './ui/subjects.ts';
import { describeError, forCode } from './ui/words/describeError.ts';
import { setLanguage } from './words/formats.ts';
import { logLines } from './words/renderLogLine.ts';
import { RowStore } from './model/log/rowStore.ts';
import { Evaluator } from './service/sandbox/evaluator.ts';
import { createClient } from './api/client.ts';
import { createN8nClient } from './api/n8n/client.ts';
import { SettingsClient } from './api/settingsClient.ts';

/** Each is loaded by itself, in this order: what a first view shows comes first. A feature is its folder and its line here. */
const features: readonly (() => Promise<(app: App) => Disposable>)[] = [
  async () => (await import('./features/connections/register.ts')).registerConnections,
  async () => (await import('./features/workflows/register.ts')).registerWorkflows,
  async () => (await import('./features/definitions/register.ts')).registerDefinitions,
  async () => (await import('./features/workflowFiles/register.ts')).registerWorkflowFiles,
  async () => (await import('./features/secrets/register.ts')).registerSecrets,
  async () => (await import('./features/inputs/register.ts')).registerInputs,
  async () => (await import('./features/executions/register.ts')).registerExecutions,
  async () => (await import('./features/graph/register.ts')).registerGraph,
  async () => (await import('./features/debugging/register.ts')).registerDebugging,
  async () => (await import('./features/tests/register.ts')).registerTests,
  async () => (await import('./features/tasks/register.ts')).registerTasks,
  async () => (await import('./features/portalEvents/register.ts')).registerPortalEvents,
  async () => (await import('./features/languageTools/register.ts')).registerLanguageTools,
  async () => (await import('./features/walkthrough/register.ts')).registerWalkthrough,
];

type Own = <T extends Disposable>(piece: T) => T;

/** Builds everything behind the surfaces and attaches it to them, feature by feature; what was built before a failure is disposed of again. */
export async function startApp(context: vscode.ExtensionContext, surfaces: Surfaces): Promise<Commands> {
  setLanguage(vscode.env.language, vscode.l10n.bundle);
  const owned = new DisposableStore();
  context.subscriptions.push(owned);
  const own: Own = (piece) => owned.add(piece);
  const registered = Promise.withResolvers<undefined>();
  try {
    const ports = createPorts(context, own);
    const model = createModel(context, ports, own);
    const app = composeApp(context, surfaces, { ...ports, ...model, registered: registered.promise }, own);
    for (const load of features) {
      own((await load())(app));
      // What the feature answered is sent, and what came meanwhile is heard, before the next one is loaded.
      await setImmediate();
    }
    return app.commands;
  } catch (error) {
    owned.dispose();
    throw error;
  } finally {
    registered.resolve(undefined);
  }
}

/** What the model needs of the editor, the machine and the network. */
function createPorts(
  { globalState, workspaceState, globalStorageUri, storageUri }: vscode.ExtensionContext,
  own: Own,
) {
  const logger = own(new ExtensionLog());
  const http = own(new HttpLoader(readProxySettings));
  own(onDidChange(readProxySettings, http.reset));
  const operationSettings = own(new OperationSettings(logger));
  const ledger = own(new Ledger({ path: join(globalStorageUri.fsPath, 'budget.db'), uptime, clock, logger }));
  const budgets = own(new Budgets({ clock, uptime, ledger }));
  const localAccess = own(new LocalAccess());
  const requestWaits = own(new RequestWaits());
  // The only place that chooses a client by the connection's kind.
  const createServiceClient: ClientFactory = (connection, readKey, owner, mcpToken) => {
    const { kind, baseUrl } = connection;
    const shared = { http: http.load, baseUrl, logger, owner, waits: requestWaits, clock };
    if (kind === 'n8n') return createN8nClient({ ...shared, key: readKey, mcpToken });
    const key = localAccess.guard(connection, readKey);
    const overrides = () => operationSettings.read();
    return createClient({ ...shared, key, keyPrefix: settings.keyPrefix, overrides, budgets });
  };
  return {
    clock,
    logger,
    http,
    localAccess,
    requestWaits,
    createServiceClient,
    globalState: new MementoState(globalState),
    workspaceState: new MementoState(workspaceState),
    savedSearches: new RecordFiles(join(globalStorageUri.fsPath, 'savedSearches'), logger, clock),
    // A window without a folder has no storage of its own.
    definitionBases: new RecordFiles(
      join((storageUri ?? globalStorageUri).fsPath, 'definitionBases'),
      logger,
      clock,
    ),
  };
}

function createModel(context: vscode.ExtensionContext, ports: ReturnType<typeof createPorts>, own: Own) {
  const { logger, localAccess, createServiceClient, globalState, workspaceState } = ports;
  const { keyPrefix } = settings;
  const connections = own(
    new Connections({
      records: new RecordFiles(join(context.globalStorageUri.fsPath, connectionsFolder), logger, clock),
      workspaceState,
      secrets: new EditorSecretStore(context.secrets),
      createClient: createServiceClient,
      clock,
      keyPrefix,
      createId: randomUUID,
    }),
  );
  const clients = own(new Clients(connections, createServiceClient));
  const workflows = own(new Workflows(connections, clients, clock));
  const rows = own(new RowStore({ logger, lines: logLines, keyPrefix }));
  const executions = own(new Executions(connections, clients, clock, rows));
  const following = own(new Following({ connections, clients, executions, clock, logger }));
  const portalEvents = own(new PortalEvents({ connections, clients, globalState, clock, logger }));
  const events = own(new ExecutionEvents({ connections, clients, portalEvents, logger }));
  const history = own(new InputHistory(globalState, clock, keyPrefix));
  const localService = own(
    new LocalService({
      connections,
      access: localAccess,
      launch: (signal) => launchLocalService(context, logger, signal),
      createSettings: ({ origin, sessionToken }) =>
        new SettingsClient({ http: ports.http.load, origin, sessionToken, clock, logger }),
      names: { connection: vscode.l10n.t('Local service'), key: 'VS Code' },
    }),
  );
  return {
    connections,
    services: new Services(clients),
    connectionTroubles: own(new ConnectionTroubles({ connections, clients })),
    workflows,
    executions,
    searches: own(new ExecutionSearches({ connections, clients, executions, workflows, clock })),
    ranDefinitions: own(new RanDefinitions({ clients, workflows, clock, logger })),
    selection: own(new Selection()),
    following,
    savedSearches: own(new SavedSearches({ records: ports.savedSearches, connections, keyPrefix })),
    freshExecutions: own(new FreshExecutions({ executions, following, events, clock, logger })),
    actions: own(new WorkflowActions({ clients, workflows, executions, clock })),
    drafts: new InputDrafts(globalState, keyPrefix),
    history,
    schemas: own(new InputSchemas({ workflows, history, logger, schemaOfTriggers })),
    presetChoices: own(new PresetChoices(workspaceState)),
    pins: own(new Pins(workspaceState, keyPrefix)),
    portalEvents,
    localService,
    secrets: own(new LocalSecrets({ localService, logger })),
  };
}

const localServiceFolder = ({ globalStorageUri }: vscode.ExtensionContext): string =>
  join(globalStorageUri.fsPath, 'local-service');

function createLocalData(folder: string): LocalData {
  const files = () => import('./service/process/dataFolder.ts');
  /** Rejects with a LaunchError if another window's service uses the data. */
  const unused = async <T>(work: (data: Awaited<ReturnType<typeof files>>) => Promise<T>): Promise<T> => {
    const data = await files();
    try {
      return await work(data);
    } catch (error) {
      if (!(error instanceof data.AlreadyRunningError)) throw error;
      throw new LaunchError({ kind: 'inUse' }, error.message, { cause: error });
    }
  };
  return {
    folder,
    count: async () => (await files()).countData(folder),
    setAside: () => unused(({ setDataAside }) => setDataAside(folder, new Date())),
    delete: () => unused(({ deleteData }) => deleteData(folder)),
  };
}

function launchLocalService(context: vscode.ExtensionContext, logger: Logger, signal: AbortSignal) {
  return startLocalService({
    nodePath: process.execPath,
    servicePath: join(context.extensionPath, 'dist', 'service.js'),
    dataFolder: localServiceFolder(context),
    samples: true,
    keepDays: settings.keepDays(),
    keepExecutions: settings.keepExecutions(),
    refusesPrivateAddresses: settings.refusePrivateAddresses(),
    readSecretsKey: () => readSecretsKey(context.secrets),
    signal,
    logger,
  });
}

type Pieces = Omit<ReturnType<typeof createPorts>, 'savedSearches'> & ReturnType<typeof createModel>;

/** What the features are made of, and the commands and rows that belong to none of them. */
function composeApp(
  context: vscode.ExtensionContext,
  surfaces: Surfaces,
  { registered, ...pieces }: Pieces & { readonly registered: Promise<undefined> },
  own: Own,
): App {
  const { connections, executions, logger, requestWaits } = pieces;
  const sandbox = pathToFileURL(join(context.extensionPath, 'dist', 'sandbox.js'));
  const linkedFiles = own(new LinkedFiles(connections));
  const definitionTargets = own(new DefinitionTargets(linkedFiles));
  const commands = new Commands({
    logger,
    describe: describeError,
    forCode,
    activeConnectionId: () => requireActiveConnection(connections).id,
    trackActivity: () => requestWaits.attend(),
    findSubject: (uri) => findSubject({ definitionTargets, executions }, uri),
    registered,
  });
  own(onDidFailInSight(surfaces.opener, (error) => void commands.present(error)));
  const app: App = {
    ...pieces,
    ...surfaces,
    commands,
    contextKeys: createContextKeys(),
    ages: own(new Ages(clock)),
    linkedFiles,
    definitionTargets,
    definitionTexts: own(new DefinitionTexts({ ...pieces, definitionTargets })),
    testFiles: own(new TestFiles(clock)),
    checkRoute: (baseUrl, signal) =>
      checkRoute(baseUrl, { http: pieces.http.load, settings: readProxySettings() }, signal),
    evaluator: own(new Evaluator({ program: sandbox, clock, words: vscode.l10n.bundle })),
    extensionFolder: context.extensionUri,
    samples: vscode.Uri.joinPath(context.extensionUri, 'media', 'samples'),
    localData: createLocalData(localServiceFolder(context)),
  };
  own(registerRowKeys(app));
  own(
    commands.registerPlain('showLog', () => {
      logger.show();
      return Promise.resolve();
    }),
  );
  return app;
}
