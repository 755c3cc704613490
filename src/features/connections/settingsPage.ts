// Keeps the page where the keys of a remote service are created, and opens it.
import * as vscode from 'vscode';
import { combine, type Disposable } from '../../base/disposable.ts';
import { checkSettingsUrl } from '../../model/connections/connectionChecks.ts';
import { requireActiveConnection } from '../../ui/activeConnection.ts';
import type { App } from '../../ui/app.ts';
import { problemOf } from '../../ui/words/describeConnectionError.ts';
import { plainLine } from '../../editor/format.ts';
import { askText } from '../../editor/prompts.ts';
import { requireConnection } from './connectionPicker.ts';
import { PlainError } from '../../editor/plainError.ts';

export type SettingsPageDeps = Pick<App, 'commands' | 'connections'>;

async function askPage(name: string, known: string): Promise<string> {
  return askText({
    prompt: vscode.l10n.t(
      'Where are the API keys of {0} made? The page of its settings, or nothing to forget it.',
      plainLine(name, 80),
    ),
    placeHolder: 'https://example.com/settings/api-keys',
    value: known,
    validate: (text) => (text.trim() === '' ? undefined : problemOf(() => checkSettingsUrl(text))),
  });
}

export function registerSettingsPage({ commands, connections }: SettingsPageDeps): Disposable {
  const ask = () => Promise.resolve({ connectionId: requireActiveConnection(connections).id });
  return combine(
    commands.register('connection.setSettingsPage', {
      ask,
      run: async (argument, { isInteractive }) => {
        const { connectionId } = argument;
        const { name, settingsUrl = '' } = requireConnection(connections, connectionId);
        const url = isInteractive ? await askPage(name, settingsUrl) : argument.settingsUrl;
        const changed = await connections.setSettingsPage(connectionId, url === '' ? undefined : url);
        return {
          connectionId,
          ...(changed.settingsUrl === undefined ? {} : { settingsUrl: changed.settingsUrl }),
        };
      },
    }),
    commands.register('connection.openSettingsPage', {
      ask,
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
}
