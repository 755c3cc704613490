import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { NewConnection } from '../../model/connections/connections.ts';
import { textMember } from '../../ui/activeConnection.ts';
import { withProgress } from '../../editor/prompts.ts';
import { registerBudget } from './budget/register.ts';
import { registerCapabilities } from './capabilities.ts';
import { registerKeyGuard } from './keyGuard/register.ts';
import { registerLocalService } from './localService.ts';
import { addInteractively, askConnection } from './addConnection.ts';
import { registerApiKeyCommands } from './apiKeyCommands.ts';
import { connectionArgument, requireConnection } from './connectionArgument.ts';
import { createConnectionsTree } from './connectionsTree.ts';
import { diagnose } from './diagnose.ts';
import { registerEditing } from './editing.ts';
import { createExpiryReminder } from './expiryReminder.ts';
import { registerSettingsPage } from './settingsPage.ts';
import { sayStoredTrouble } from './storedTrouble.ts';
import type { App } from '../../ui/app.ts';

export type ConnectionsDeps = Pick<
  App,
  | 'commands'
  | 'connections'
  | 'services'
  | 'workflows'
  | 'localService'
  | 'setDataAside'
  | 'contextKeys'
  | 'globalState'
  | 'showText'
  | 'clock'
  | 'logger'
  | 'views'
>;

function decodeNewConnection(value: Readonly<Record<string, unknown>>): NewConnection | undefined {
  const name = textMember(value, 'name');
  const baseUrl = textMember(value, 'baseUrl');
  const apiKey = textMember(value, 'apiKey');
  if (name === undefined || baseUrl === undefined || apiKey === undefined) return undefined;
  return { name, baseUrl, apiKey };
}

export function registerConnections(deps: ConnectionsDeps): Disposable {
  const { commands, connections, localService, views } = deps;
  const owned = new DisposableStore();
  const tree = owned.add(createConnectionsTree(views.connections.view, deps));
  owned.add(views.connections.attach(tree));
  // Another window may have added or removed one meanwhile.
  owned.add(
    vscode.window.onDidChangeWindowState(({ focused }) => {
      if (focused) connections.reload();
    }),
  );
  owned.add(
    commands.register('connection.add', {
      decode: decodeNewConnection,
      expects: '{name, baseUrl, apiKey}',
      ask: askConnection,
      run: async (connection, { isInteractive }) => {
        const added = await (isInteractive
          ? addInteractively(connections, connection)
          : connections.add(connection));
        return { connectionId: added.id };
      },
    }),
  );
  owned.add(
    commands.register('connection.switch', {
      ...connectionArgument(connections, 'all'),
      run: async ({ connectionId }) => {
        await connections.switchTo(connectionId);
        return { connectionId };
      },
    }),
  );
  owned.add(
    commands.register('connection.diagnose', {
      ...connectionArgument(connections, 'active'),
      run: async ({ connectionId }, { isInteractive }) => {
        const connection = requireConnection(connections, connectionId);
        const report = await withProgress(vscode.l10n.t('Checking the connection…'), (signal) =>
          diagnose(connection, deps, signal),
        );
        if (isInteractive) await deps.showText(report, 'plaintext');
        return report;
      },
    }),
  );
  owned.add(sayStoredTrouble(connections));
  owned.add(registerEditing(commands, connections));
  owned.add(registerSettingsPage(commands, connections));
  owned.add(createExpiryReminder(deps));
  owned.add(registerBudget(deps));
  owned.add(registerCapabilities(deps));
  owned.add(registerLocalService(deps));
  owned.add(registerKeyGuard(deps));
  owned.add(registerApiKeyCommands(commands, localService, () => tree.redrawAll()));
  return owned;
}
