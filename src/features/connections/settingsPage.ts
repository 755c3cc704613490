// A remote service's keys are made in its own settings; where the user has said where those are, one click leads there.
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { checkSettingsUrl } from '../../model/connections/connectionChecks.ts';
import type { Connections } from '../../model/connections/connections.ts';
import { textMember } from '../../ui/activeConnection.ts';
import { problemOf } from '../../ui/words/describeConnectionError.ts';
import type { Commands } from '../../editor/commands.ts';
import { plainLine } from '../../editor/format.ts';
import { askText } from '../../editor/prompts.ts';
import { connectionArgument, requireConnection } from './connectionArgument.ts';
import { PlainError } from '../../editor/plainError.ts';

export function registerSettingsPage(commands: Commands, connections: Connections): Disposable {
  const owned = new DisposableStore();
  owned.add(
    commands.register('connection.setSettingsPage', {
      ...connectionArgument(connections, 'active'),
      expects: '{connectionId, settingsUrl?}',
      run: async ({ connectionId, members }, { isInteractive }) => {
        const { name, settingsUrl = '' } = requireConnection(connections, connectionId);
        const url = isInteractive
          ? await askText({
              prompt: vscode.l10n.t(
                'Where are the API keys of {0} made? The page of its settings, or nothing to forget it.',
                plainLine(name, 80),
              ),
              placeHolder: 'https://example.com/settings/api-keys',
              value: settingsUrl,
              validate: (text) => (text.trim() === '' ? undefined : problemOf(() => checkSettingsUrl(text))),
            })
          : textMember(members, 'settingsUrl');
        const changed = await connections.setSettingsPage(connectionId, url === '' ? undefined : url);
        return {
          connectionId,
          ...(changed.settingsUrl === undefined ? {} : { settingsUrl: changed.settingsUrl }),
        };
      },
    }),
  );
  owned.add(
    commands.register('connection.openSettingsPage', {
      ...connectionArgument(connections, 'active'),
      run: async ({ connectionId }, { isInteractive }) => {
        const { settingsUrl } = requireConnection(connections, connectionId);
        if (settingsUrl === undefined) {
          throw new PlainError(
            vscode.l10n.t('Where the keys of this service are made is not known here yet. Say it once.'),
            [{ label: vscode.l10n.t('Set the Page…'), command: 'connection.setSettingsPage' }],
          );
        }
        if (isInteractive) await vscode.env.openExternal(vscode.Uri.parse(settingsUrl, true));
        return { settingsUrl };
      },
    }),
  );
  return owned;
}
