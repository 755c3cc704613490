// The commands about the key of a connection, and about the page on which a remote service makes keys.
import * as vscode from 'vscode';
import { combine, type Disposable } from '../../base/disposable.ts';
import { ConnectionError } from '../../domain/errors.ts';
import { plainLine } from '../../editor/format.ts';
import { askText } from '../../editor/prompts/prompts.ts';
import { checkSettingsUrl } from '../../model/connections/connectionChecks.ts';
import { requireActiveConnection } from '../../ui/activeConnection.ts';
import type { App } from '../../ui/app.ts';
import { problemOf } from '../../ui/words/describeError.ts';
import { askMcpToken, askReplacement } from './keySteps.ts';
import { serviceTraits } from '../../domain/serviceTraits.ts';

type KeyCommandsDeps = Pick<App, 'commands' | 'connections'>;

function registerReplaceKey({ commands, connections }: KeyCommandsDeps): Disposable {
  return commands.register('connection.replaceKey', {
    ask: () => Promise.resolve({ connectionId: requireActiveConnection(connections).id }),
    run: async ({ connectionId, apiKey }, { isInteractive }) => {
      if (!isInteractive && apiKey !== undefined) {
        await connections.replaceKey(connectionId, apiKey);
        return { connectionId };
      }
      const asked = await askReplacement(connections, connections.get(connectionId));
      const { expiration } = asked;
      await connections.replaceKey(connectionId, asked.apiKey, { verify: 'never', expiration });
      return { connectionId };
    },
  });
}

function registerReplaceMcpToken({ commands, connections }: KeyCommandsDeps): Disposable {
  return commands.register('connection.replaceMcpToken', {
    ask: () => Promise.resolve({ connectionId: requireActiveConnection(connections).id }),
    run: async ({ connectionId, mcpToken }, { isInteractive }) => {
      const connection = connections.get(connectionId);
      if (!serviceTraits[connection.kind].takesMcpToken)
        throw new ConnectionError({ kind: 'mcpTokenNotTaken' });
      const isAsked = isInteractive || mcpToken === undefined;
      const text = isAsked ? await askMcpToken(connections, connection) : mcpToken;
      const verify = isAsked ? 'never' : 'always';
      return { connectionId, hasMcpToken: await connections.replaceMcpToken(connectionId, text, { verify }) };
    },
  });
}

async function askPage(name: string, known: string): Promise<string> {
  return askText({
    prompt: vscode.l10n.t(
      'URL of the page where API keys of {0} are created. Leave it empty to remove the page.',
      plainLine(name, 80),
    ),
    placeHolder: 'https://example.com/settings/api-keys',
    value: known,
    validate: (text) => (text.trim() === '' ? undefined : problemOf(() => checkSettingsUrl(text))),
  });
}

function registerSettingsPage({ commands, connections }: KeyCommandsDeps): Disposable {
  return commands.register('connection.setSettingsPage', {
    ask: () => Promise.resolve({ connectionId: requireActiveConnection(connections).id }),
    run: async (argument, { isInteractive }) => {
      const { connectionId } = argument;
      const { name, settingsUrl = '' } = connections.get(connectionId);
      const url = isInteractive ? await askPage(name, settingsUrl) : argument.settingsUrl;
      const changed = await connections.setSettingsPage(connectionId, url === '' ? undefined : url);
      return {
        connectionId,
        ...(changed.settingsUrl === undefined ? {} : { settingsUrl: changed.settingsUrl }),
      };
    },
  });
}

export function registerKeyCommands(deps: KeyCommandsDeps): Disposable {
  return combine(registerReplaceKey(deps), registerReplaceMcpToken(deps), registerSettingsPage(deps));
}
