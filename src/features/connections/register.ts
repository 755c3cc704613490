import * as vscode from 'vscode';
import { combine, type Disposable } from '../../base/disposable.ts';
import type { App } from '../../ui/app.ts';
import { registerApiKeyCommands } from './apiKeyCommands.ts';
import { registerBudget } from './budget/register.ts';
import { registerCapabilities } from './capabilities.ts';
import { registerConnectionCommands } from './connectionCommands.ts';
import { createConnectionsTree } from './connectionsTree.ts';
import { registerDiagnose } from './diagnose.ts';
import { createExpiryReminder } from './expiryReminder.ts';
import { registerKeyGuard } from './keyGuard/register.ts';
import { registerLocalService } from './localService.ts';
import { registerSettingsPage } from './settingsPage.ts';
import { sayStoredTrouble } from './storedTrouble.ts';

export type ConnectionsDeps = Pick<
  App,
  | 'clock'
  | 'commands'
  | 'connections'
  | 'contextKeys'
  | 'globalState'
  | 'localService'
  | 'logger'
  | 'services'
  | 'setDataAside'
  | 'showText'
  | 'views'
  | 'workflows'
>;

/** Another window may have added or removed a connection. */
function reloadOnFocus({ connections }: ConnectionsDeps): Disposable {
  return vscode.window.onDidChangeWindowState(({ focused }) => {
    if (focused) connections.reload();
  });
}

export function registerConnections(deps: ConnectionsDeps): Disposable {
  const { connections, views } = deps;
  const tree = createConnectionsTree(views.connections.view, deps);
  return combine(
    tree,
    views.connections.attach(tree),
    reloadOnFocus(deps),
    registerConnectionCommands(deps),
    registerSettingsPage(deps),
    registerDiagnose(deps),
    sayStoredTrouble(connections),
    createExpiryReminder(deps),
    registerBudget(deps),
    registerCapabilities(deps),
    registerLocalService(deps),
    registerKeyGuard(deps),
    registerApiKeyCommands(deps, () => tree.redrawAll()),
  );
}
