// What can be changed about a connection that is there: its name, its key, and that it is there.
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { checkName } from '../../model/connections/connectionChecks.ts';
import type { Connections } from '../../model/connections/connections.ts';
import { textMember } from '../../ui/activeConnection.ts';
import { problemOf } from '../../ui/words/describeConnectionError.ts';
import { askExpiration, verified } from '../../ui/pickers/newConnection.ts';
import type { Commands } from '../../editor/commands.ts';
import { plainLine } from '../../editor/format.ts';
import { askText, confirm } from '../../editor/prompts.ts';
import { askApiKey } from './addConnection.ts';
import { connectionArgument } from './connectionArgument.ts';

export function registerEditing(commands: Commands, connections: Connections): Disposable {
  const owned = new DisposableStore();
  const nameOf = (connectionId: string): string => plainLine(connections.find(connectionId)?.name ?? '', 80);
  owned.add(
    commands.register('connection.rename', {
      ...connectionArgument(connections, 'all'),
      expects: '{connectionId, name}',
      run: async ({ connectionId, members }, { isInteractive }) => {
        const given = textMember(members, 'name');
        if (!isInteractive && given === undefined) throw new TypeError('The new name is missing.');
        const name =
          given ??
          (await askText({
            prompt: vscode.l10n.t('New name of the connection'),
            value: nameOf(connectionId),
            validate: (text) => problemOf(() => checkName(text)),
          }));
        const renamed = await connections.rename(connectionId, name);
        return { connectionId, name: renamed.name };
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
            { icon: 'trash', label: vscode.l10n.t('Remove') },
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
      run: async ({ connectionId, members }, { isInteractive }) => {
        const apiKey = textMember(members, 'apiKey');
        if (isInteractive) {
          const key = await askApiKey(nameOf(connectionId));
          const expiration = await askExpiration();
          await verified(vscode.l10n.t('Checking the API key…'), (options) =>
            connections.replaceKey(connectionId, key, { ...options, expiration }),
          );
        } else if (apiKey === undefined) {
          throw new TypeError('The new API key is missing.');
        } else {
          await connections.replaceKey(connectionId, apiKey);
        }
        return { connectionId };
      },
    }),
  );
  return owned;
}
