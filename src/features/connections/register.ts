// Why: connections and their API keys: the Connections view and every command on it.
import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { Clients } from '../../model/clients.ts';
import type { Connections, NewConnection } from '../../model/connections/connections.ts';
import type { LocalService } from '../../model/localService.ts';
import { requireActiveConnection, textMember } from '../../pickers/activeConnection.ts';
import type { CommandDefinition, Commands } from '../../platform/commands.ts';
import { PlainError } from '../../platform/describeError.ts';
import { plainLine } from '../../platform/format.ts';
import type { LazyTree } from '../../platform/lazySurfaces.ts';
import { askText, choose, confirm, withProgress } from '../../platform/prompts.ts';
import { addInteractively, askApiKey, askConnection, askExpiration, verified } from './addConnection.ts';
import { registerApiKeyCommands } from './apiKeyCommands.ts';
import type { ConnectionsElement } from './connectionElements.ts';
import { createConnectionsTree } from './connectionsTree.ts';
import { diagnose } from './diagnose.ts';

export interface ConnectionsParts {
  readonly commands: Commands;
  readonly connections: Connections;
  readonly clients: Clients;
  readonly localService: LocalService;
  readonly connectionsView: LazyTree<ConnectionsElement>;
  /** Shows a text as a document. */
  readonly showText: (text: string, language: 'plaintext') => Promise<void>;
}

interface ConnectionArgument {
  readonly connectionId: string;
  readonly apiKey: string | undefined;
}

type Argument = Pick<CommandDefinition<ConnectionArgument, unknown>, 'decode' | 'expects' | 'ask'>;

function decodeNewConnection(value: Readonly<Record<string, unknown>>): NewConnection | undefined {
  const name = textMember(value, 'name');
  const baseUrl = textMember(value, 'baseUrl');
  const apiKey = textMember(value, 'apiKey');
  if (name === undefined || baseUrl === undefined || apiKey === undefined) return undefined;
  return { name, baseUrl, apiKey };
}

/** asks: "all" offers every connection; "active" takes the active one without asking. */
function connectionArgument(connections: Connections, asks: 'all' | 'active'): Argument {
  return {
    decode: (value) => {
      const connectionId = textMember(value, 'connectionId');
      return connectionId === undefined ? undefined : { connectionId, apiKey: textMember(value, 'apiKey') };
    },
    expects: '{connectionId}',
    ask: async () => {
      const active = requireActiveConnection(connections);
      if (asks === 'active') return { connectionId: active.id, apiKey: undefined };
      const choices = connections.all.current.map((connection) => ({
        label: plainLine(connection.name),
        description: connection.id === active.id ? vscode.l10n.t('active') : '',
        detail: plainLine(connection.baseUrl),
        value: connection.id,
      }));
      return { connectionId: await choose(vscode.l10n.t('Choose a connection'), choices), apiKey: undefined };
    },
  };
}

function registerEditing({ commands, connections }: ConnectionsParts): Disposable {
  const owned = new DisposableStore();
  const nameOf = (connectionId: string): string => plainLine(connections.find(connectionId)?.name ?? '', 80);
  owned.add(
    commands.register('connection.rename', {
      ...connectionArgument(connections, 'all'),
      run: async ({ connectionId }) => {
        const name = await askText({
          prompt: vscode.l10n.t('New name of the connection'),
          value: nameOf(connectionId),
        });
        await connections.rename(connectionId, name);
        return { connectionId };
      },
    }),
  );
  owned.add(
    commands.register('connection.remove', {
      ...connectionArgument(connections, 'all'),
      run: async ({ connectionId }, { isInteractive }) => {
        if (isInteractive) {
          await confirm(
            vscode.l10n.t('Remove the connection "{0}"?', nameOf(connectionId)),
            vscode.l10n.t('$(trash) Remove'),
            vscode.l10n.t('Its API key is deleted from this machine. Nothing changes on the service.'),
          );
        }
        await connections.remove(connectionId);
        return { connectionId };
      },
    }),
  );
  owned.add(
    commands.register('connection.replaceKey', {
      ...connectionArgument(connections, 'active'),
      expects: '{connectionId, apiKey}',
      run: async ({ connectionId, apiKey }, { isInteractive }) => {
        if (isInteractive) {
          const key = await askApiKey(nameOf(connectionId));
          const expiration = await askExpiration();
          await verified(vscode.l10n.t('Checking the API key…'), (options) =>
            connections.replaceKey(connectionId, key, { ...options, expiration }),
          );
        } else if (apiKey === undefined) {
          throw new PlainError(vscode.l10n.t('The new API key is missing.'));
        } else {
          await connections.replaceKey(connectionId, apiKey);
        }
        return { connectionId };
      },
    }),
  );
  return owned;
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
        const connection = connections.find(connectionId);
        if (connection === undefined)
          throw new PlainError(vscode.l10n.t('This connection does not exist any more.'));
        const report = await withProgress(vscode.l10n.t('Checking the connection…'), (signal) =>
          diagnose(connection, parts, signal),
        );
        if (isInteractive) await parts.showText(report, 'plaintext');
        return report;
      },
    }),
  );
  owned.add(registerEditing(parts));
  owned.add(
    registerApiKeyCommands(commands, localService, () => {
      tree.refresh();
    }),
  );
  return owned;
}
