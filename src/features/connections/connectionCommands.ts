import * as vscode from 'vscode';
import { combine, type Disposable } from '../../base/disposable.ts';
import { checkKey, checkName } from '../../model/connections/connectionChecks.ts';
import type { NewConnection } from '../../model/connections/connections.ts';
import { requireActiveConnection } from '../../ui/activeConnection.ts';
import type { App } from '../../ui/app.ts';
import { askAddress, askExpiration, verified } from '../../ui/pickers/newConnection.ts';
import { problemOf } from '../../ui/words/describeConnectionError.ts';
import { plainLine } from '../../editor/format.ts';
import { askText, confirm } from '../../editor/prompts.ts';
import { settings } from '../../editor/settings.ts';
import { pickConnection } from './connectionPicker.ts';

export type ConnectionCommandsDeps = Pick<App, 'commands' | 'connections'>;

/** The key isn't shown while it's typed. */
function askApiKey(serviceName: string): Promise<string> {
  const prefix = settings.keyPrefix();
  return askText({
    prompt: vscode.l10n.t(
      'API key of {0}. It is kept in the secret storage of this machine only.',
      serviceName,
    ),
    placeHolder: `${prefix}…`,
    isSecret: true,
    validate: (text) => problemOf(() => checkKey(text, prefix)),
  });
}

async function askConnection(): Promise<NewConnection> {
  const address = await askAddress();
  const apiKey = await askApiKey(address.name);
  return { ...address, apiKey, expiration: await askExpiration() };
}

function registerAdd({ commands, connections }: ConnectionCommandsDeps): Disposable {
  return commands.register<'connection.add', NewConnection>('connection.add', {
    ask: askConnection,
    run: async (connection, { isInteractive }) => {
      const added = await (isInteractive
        ? verified(vscode.l10n.t('Checking the API key…'), (options) => connections.add(connection, options))
        : connections.add(connection));
      return { connectionId: added.id };
    },
  });
}

function registerSwitch({ commands, connections }: ConnectionCommandsDeps): Disposable {
  return commands.register('connection.switch', {
    ask: async () => ({ connectionId: await pickConnection(connections) }),
    run: async ({ connectionId }) => {
      await connections.switchTo(connectionId);
      return { connectionId };
    },
  });
}

function nameOf({ connections }: ConnectionCommandsDeps, connectionId: string): string {
  return plainLine(connections.find(connectionId)?.name ?? '', 80);
}

function registerRename(deps: ConnectionCommandsDeps): Disposable {
  const { commands, connections } = deps;
  return commands.register('connection.rename', {
    ask: async () => ({ connectionId: await pickConnection(connections) }),
    run: async ({ connectionId, name }) => {
      const chosen =
        name ??
        (await askText({
          prompt: vscode.l10n.t('New name of the connection'),
          value: nameOf(deps, connectionId),
          validate: (text) => problemOf(() => checkName(text)),
        }));
      const renamed = await connections.rename(connectionId, chosen);
      return { connectionId, name: renamed.name };
    },
  });
}

function registerRemove(deps: ConnectionCommandsDeps): Disposable {
  const { commands, connections } = deps;
  return commands.register('connection.remove', {
    ask: async () => ({ connectionId: await pickConnection(connections) }),
    run: async ({ connectionId }, { isInteractive }) => {
      if (isInteractive) {
        await confirm(
          vscode.l10n.t('Remove the connection "{0}"?', nameOf(deps, connectionId)),
          { icon: 'trash', label: vscode.l10n.t('Remove') },
          vscode.l10n.t('Its API key is deleted from this machine. Nothing changes on the service.'),
        );
      }
      await connections.remove(connectionId);
      return { connectionId };
    },
  });
}

function registerReplaceKey(deps: ConnectionCommandsDeps): Disposable {
  const { commands, connections } = deps;
  return commands.register('connection.replaceKey', {
    ask: () => Promise.resolve({ connectionId: requireActiveConnection(connections).id }),
    run: async ({ connectionId, apiKey }, { isInteractive }) => {
      if (!isInteractive && apiKey !== undefined) {
        await connections.replaceKey(connectionId, apiKey);
        return { connectionId };
      }
      const key = await askApiKey(nameOf(deps, connectionId));
      const expiration = await askExpiration();
      await verified(vscode.l10n.t('Checking the API key…'), (options) =>
        connections.replaceKey(connectionId, key, { ...options, expiration }),
      );
      return { connectionId };
    },
  });
}

export function registerConnectionCommands(deps: ConnectionCommandsDeps): Disposable {
  return combine(
    registerAdd(deps),
    registerSwitch(deps),
    registerRename(deps),
    registerRemove(deps),
    registerReplaceKey(deps),
  );
}
