// Connections and their API keys: the Connections view and every command on it.
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Clients } from '../../model/clients.ts';
import type { Connections, NewConnection } from '../../model/connections/connections.ts';
import type { LocalService } from '../../model/localService.ts';
import { textMember } from '../../pickers/activeConnection.ts';
import type { Commands } from '../../platform/commands.ts';
import type { LazyTree } from '../../platform/surfaces/lazySurfaces.ts';
import { withProgress } from '../../platform/prompts.ts';
import { addInteractively, askConnection } from './addConnection.ts';
import { registerApiKeyCommands } from './apiKeyCommands.ts';
import { connectionArgument, requireConnection } from './connectionArgument.ts';
import type { ConnectionsElement } from './connectionElements.ts';
import { createConnectionsTree } from './connectionsTree.ts';
import { diagnose } from './diagnose.ts';
import { registerEditing } from './editing.ts';
import { createExpiryReminder, type ReminderParts } from './expiryReminder.ts';
import { registerSettingsPage } from './settingsPage.ts';
import { sayStoredTrouble } from './storedTrouble.ts';

export interface ConnectionsParts extends ReminderParts {
  readonly commands: Commands;
  readonly connections: Connections;
  readonly clients: Clients;
  readonly localService: LocalService;
  readonly connectionsView: LazyTree<ConnectionsElement>;
  /** Shows a text as a document. */
  readonly showText: (text: string, language: 'plaintext') => Promise<void>;
}

function decodeNewConnection(value: Readonly<Record<string, unknown>>): NewConnection | undefined {
  const name = textMember(value, 'name');
  const baseUrl = textMember(value, 'baseUrl');
  const apiKey = textMember(value, 'apiKey');
  if (name === undefined || baseUrl === undefined || apiKey === undefined) return undefined;
  return { name, baseUrl, apiKey };
}

export function registerConnections(parts: ConnectionsParts): Disposable {
  const { commands, connections, localService } = parts;
  const owned = new DisposableStore();
  const tree = owned.add(createConnectionsTree(connections, localService));
  owned.add(parts.connectionsView.fill(tree));
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
          diagnose(connection, parts, signal),
        );
        if (isInteractive) await parts.showText(report, 'plaintext');
        return report;
      },
    }),
  );
  owned.add(sayStoredTrouble(connections));
  owned.add(registerEditing(commands, connections));
  owned.add(registerSettingsPage(commands, connections));
  owned.add(createExpiryReminder(parts));
  owned.add(registerApiKeyCommands(commands, localService, () => tree.refresh()));
  return owned;
}
