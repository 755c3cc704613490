// Puts the pieces together in order, when something is first asked of them; nothing else happens here.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { createBudgets } from './api/budget/budgets.ts';
import { createHttpLoader } from './api/http/httpLoader.ts';
import { createLedger, machineUptime } from './api/budget/ledger/ledger.ts';
import { type Disposable, DisposableStore } from './base/disposable.ts';
import { systemClock as clock } from './base/time.ts';
import { registerConnections } from './features/connections/register.ts';
import { registerDefinitions } from './features/definitions/register.ts';
import { registerInputs } from './features/inputs/register.ts';
import { registerExecutions } from './features/executions/register.ts';
import { registerPortalEvents } from './features/portalEvents/register.ts';
import { registerWorkflows } from './features/workflows/register.ts';
import { Clients } from './model/clients.ts';
import { Connections } from './model/connections/connections.ts';
import { Executions } from './model/executions/executions.ts';
import { Following } from './model/executions/following.ts';
import { InputDrafts } from './model/inputs/inputDrafts.ts';
import { InputHistory } from './model/inputs/inputHistory.ts';
import { InputSchemas } from './model/inputs/inputSchemas.ts';
import { PresetChoices } from './model/inputs/presetChoices.ts';
import { LocalAccess } from './model/localAccess.ts';
import { LocalService } from './model/localService.ts';
import type { ClientFactory } from './model/ports.ts';
import { PortalEvents } from './model/portalEvents/portalEvents.ts';
import { Services } from './model/services.ts';
import { WorkflowActions } from './model/workflows/workflowActions.ts';
import { Workflows } from './model/workflows/workflows.ts';
import { Commands } from './editor/commands.ts';
import { createContextKeys } from './editor/contextKeys.ts';
import { onDidFailInSight, showText } from './editor/documents.ts';
import { createExtensionLog } from './editor/log.ts';
import {
  createOperationSettings,
  onDidChangeProxySettings,
  readProxySettings,
  settings,
} from './editor/settings.ts';
import { RecordFiles } from './editor/recordFiles.ts';
import { createMementoState, createSecretStore } from './editor/storage.ts';
import type { Surfaces } from './surfaces.ts';
import { startLocalService } from './launcher/startLocalService.ts';
import { requireActiveConnection } from './ui/activeConnection.ts';
import { describeError } from './ui/words/describeError.ts';
import { createClient } from './api/client.ts';
import { SettingsClient } from './api/settingsClient.ts';

/** Builds everything behind the surfaces and fills them; what was built before a failure is taken down again. */
export function createApp(context: vscode.ExtensionContext, surfaces: Surfaces): Commands {
  if (vscode.l10n.bundle) l10n.config({ contents: vscode.l10n.bundle });
  const owned = new DisposableStore();
  try {
    const commands = build(context, surfaces, (part) => owned.add(part));
    context.subscriptions.push(owned);
    return commands;
  } catch (error) {
    owned.dispose();
    throw error;
  }
}

function build(
  {
    globalState,
    workspaceState,
    secrets,
    globalStorageUri,
    extensionPath,
    extensionUri,
  }: vscode.ExtensionContext,
  surfaces: Surfaces,
  own: <T extends Disposable>(part: T) => T,
): Commands {
  const logger = own(createExtensionLog());
  const contextKeys = createContextKeys();
  const http = own(createHttpLoader(readProxySettings));
  own(onDidChangeProxySettings(http.reset));
  const operationSettings = own(createOperationSettings(logger));

  const ledger = own(
    createLedger({
      path: join(globalStorageUri.fsPath, 'budget.db'),
      uptime: machineUptime,
      clock,
      logger,
    }),
  );
  const budgets = own(createBudgets({ clock, uptime: machineUptime, ledger }));
  const localAccess = own(new LocalAccess());
  const createServiceClient: ClientFactory = (connection, readKey, onFailure) =>
    createClient({
      http: http.load,
      baseUrl: connection.baseUrl,
      key: localAccess.guard(connection, readKey),
      keyPrefix: settings.keyPrefix,
      overrides: operationSettings.read,
      budgets,
      logger,
      onFailure,
      clock,
    });
  const connections = own(
    new Connections({
      records: new RecordFiles(join(globalStorageUri.fsPath, 'connections'), logger),
      globalState: createMementoState(globalState),
      workspaceState: createMementoState(workspaceState),
      secrets: createSecretStore(secrets),
      createClient: createServiceClient,
      clock,
      keyPrefix: settings.keyPrefix,
      createId: randomUUID,
    }),
  );
  const clients = own(new Clients(connections, createServiceClient));
  const workflows = own(new Workflows(connections, clients, clock));
  const executions = own(new Executions(connections, clients, clock));
  const following = own(new Following({ connections, clients, executions, clock, logger }));
  const actions = own(new WorkflowActions({ clients, workflows, executions, clock }));
  const drafts = new InputDrafts(createMementoState(globalState), settings.keyPrefix);
  const history = own(new InputHistory(createMementoState(globalState), clock, settings.keyPrefix));
  const schemas = own(new InputSchemas({ workflows, history, logger }));
  const presetChoices = own(new PresetChoices(createMementoState(workspaceState)));
  const portalEvents = own(
    new PortalEvents({
      connections,
      clients,
      globalState: createMementoState(globalState),
      clock,
      logger,
    }),
  );
  const dataFolder = join(globalStorageUri.fsPath, 'local-service');
  const localService = own(
    new LocalService({
      connections,
      access: localAccess,
      launch: (signal) =>
        startLocalService({
          nodePath: process.execPath,
          servicePath: join(extensionPath, 'dist', 'service.js'),
          dataFolder,
          samples: true,
          keepDays: settings.keepDays(),
          keepExecutions: settings.keepExecutions(),
          refusesPrivateAddresses: settings.refusePrivateAddresses(),
          signal,
          logger,
        }),
      createSettings: ({ origin, sessionToken }) =>
        new SettingsClient({ http: http.load, origin, sessionToken, clock, logger }),
      names: { connection: vscode.l10n.t('Local service'), key: 'VS Code' },
    }),
  );

  const commands = new Commands({
    logger,
    describe: describeError,
    activeConnectionId: () => requireActiveConnection(connections).id,
  });
  own(onDidFailInSight(surfaces.opener, (error) => void commands.present(error)));
  const parts = {
    commands,
    connections,
    services: new Services(clients),
    workflows,
    executions,
    following,
    actions,
    drafts,
    history,
    schemas,
    presetChoices,
    localService,
    setDataAside: async () =>
      (await import('./service/process/setDataAside.ts')).setDataAside(dataFolder, new Date()),
    portalEvents,
    contextKeys,
    clock,
    logger,
    showText,
    globalState: createMementoState(globalState),
    workspaceState: createMementoState(workspaceState),
    views: surfaces.views,
    inputFiles: surfaces.inputFiles,
    definitionFiles: surfaces.definitionFiles,
    deployedDocuments: surfaces.deployedDocuments,
    presetLenses: surfaces.presetLenses,
    executionDocuments: surfaces.executionDocuments,
    eventDocuments: surfaces.eventDocuments,
    samples: vscode.Uri.joinPath(extensionUri, 'media', 'samples'),
  };
  own(registerConnections(parts));
  own(registerWorkflows(parts));
  own(
    registerDefinitions({
      ...parts,
      workspaceState: createMementoState(workspaceState),
    }),
  );
  own(registerInputs(parts));
  own(registerExecutions(parts));
  own(registerPortalEvents(parts));
  own(commands.registerPlain('showLog', logger.show));
  return commands;
}
