import * as vscode from 'vscode';
import { combine, type Disposable } from '../../base/disposable.ts';
import type { App } from '../../ui/app.ts';
import { registerApiKeyCommands } from './apiKeyCommands.ts';
import { AutoRefresh } from '../../model/autoRefresh.ts';
import { watchView } from '../../ui/rows/watchView.ts';
import { BudgetItem, registerLimitNotice } from './budgetItem.ts';
import { registerCapabilities } from './capabilities.ts';
import { registerConnectionCommands } from './connectionCommands.ts';
import { registerDiagnose } from './diagnose.ts';
import { createConnectionsTree } from './connectionsTree.ts';
import { registerMoveKey, registerKeyProblems } from './keyGuard.ts';
import { registerLocalService } from './localService.ts';
import { createExpiryReminder, sayStoredTrouble } from './notices.ts';

export type ConnectionsFeatureDeps = Pick<
  App,
  | 'ages'
  | 'checkRoute'
  | 'clock'
  | 'commands'
  | 'connections'
  | 'connectionTroubles'
  | 'contextKeys'
  | 'diagnosisDocuments'
  | 'globalState'
  | 'localData'
  | 'localService'
  | 'requestWaits'
  | 'secrets'
  | 'logger'
  | 'services'
  | 'views'
  | 'workflows'
>;

export function registerConnections(deps: ConnectionsFeatureDeps): Disposable {
  const { connections, views } = deps;
  const { clock, logger } = deps;
  const hideSecrets = (): void => {
    connections.hideSecrets().catch((error: unknown) => {
      logger.error('The secrets to hide could not be read.', error);
    });
  };
  hideSecrets();
  const tree = createConnectionsTree(views.connections.view, deps);
  // Nothing says when a key of the local service was last used. Its settings have no limit of requests.
  const refresh = (): Promise<void> => {
    tree.redraw(tree.unfolded.map(({ key }) => key));
    return Promise.resolve();
  };
  const refreshing = new AutoRefresh({ clock, logger, refresh });
  return combine(
    tree,
    views.connections.attach(tree),
    refreshing,
    watchView(views.connections.view, refreshing, () => null),
    // Another window may have added or removed a connection.
    vscode.window.onDidChangeWindowState(({ focused }) => {
      if (focused) connections.reload();
    }),
    connections.all.onDidChange(hideSecrets),
    registerConnectionCommands(deps),
    registerDiagnose(deps),
    sayStoredTrouble(connections),
    createExpiryReminder(deps),
    new BudgetItem(deps),
    registerLimitNotice(deps),
    registerCapabilities(deps),
    registerLocalService(deps),
    registerKeyProblems(deps),
    registerMoveKey(deps),
    registerApiKeyCommands(deps, () => tree.redrawAll()),
    deps.secrets.known.onDidChange(() => tree.redrawAll()),
  );
}
