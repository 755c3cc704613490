import * as vscode from 'vscode';
import { combine, type Disposable } from '../../base/disposable.ts';
import { plainLine } from '../../base/format.ts';
import { confirm } from '../../editor/prompts/dialogs.ts';
import { askText, showMessage } from '../../editor/prompts/prompts.ts';
import { checkName, checkSettingsUrl } from '../../model/connections/connectionChecks.ts';
import type { CommandArgument } from '../../editor/commands/types.ts';
import type { Connection } from '../../domain/connection.ts';
import type { Connections, NewConnection } from '../../model/connections/connections.ts';
import { chooseConnection, requireActiveConnection } from '../../ui/activeConnection.ts';
import type { App } from '../../ui/app.ts';
import { problemOf } from '../../ui/words/describeError.ts';
import { connectionName } from '../../words/names.ts';
import { ConnectFlow } from './connectFlow.ts';
import * as l10n from '@vscode/l10n';
import type { Capability } from '../../protocol/operations.ts';
import { ConnectionError } from '../../domain/errors.ts';
import { askMcpToken, askReplacement } from './keySteps.ts';
import { serviceTraits } from '../../domain/serviceTraits.ts';

type ConnectionCommandsDeps = Pick<App, 'commands' | 'connections' | 'services'>;

/** Lets the user choose a connection. Throws a PlainError if there is none. */
async function pickConnection(connections: Connections): Promise<string> {
  requireActiveConnection(connections);
  const title = vscode.l10n.t('Select a connection');
  return (await chooseConnection(connections, title, connections.all.current)).id;
}

/** As code names them. */
const kinds = { service: 'remote', n8n: 'n8n' } as const;

/** The name of a connection. value: the name so far. */
function askName(prompt: string, value: string): Promise<string> {
  return askText({ prompt, value, validate: (text) => problemOf(() => checkName(text)) });
}

function registerAdd({ commands, connections, services }: ConnectionCommandsDeps): Disposable {
  const flow = new ConnectFlow(connections);
  interface Checked {
    readonly checked: NewConnection;
  }
  const add = async (argument: CommandArgument<'connection.add'> | Checked): Promise<Connection> => {
    if ('checked' in argument) return connections.add(argument.checked, { verify: 'never' });
    const { name, baseUrl, apiKey, mcpToken } = argument;
    const kind = argument.kind && kinds[argument.kind];
    // A button may know no more than where the service is.
    if (name === undefined || baseUrl === undefined || apiKey === undefined)
      return connections.add(await flow.ask({ kind, baseUrl, apiKey }), { verify: 'never' });
    return connections.add({ name, baseUrl, apiKey, mcpToken, kind: kind ?? kinds.service });
  };
  return commands.register<'connection.add', Checked>('connection.add', {
    ask: async () => ({ checked: await flow.ask() }),
    run: async (argument, { isInteractive }) => {
      const { id } = await add(argument);
      flow.forget();
      if (isInteractive) void sayLacks(services, id);
      return { connectionId: id };
    },
  });
}

async function sayLacks(services: App['services'], connectionId: string): Promise<void> {
  const offered = await services.learnOffers(connectionId);
  const words = offered && describeLacks(offered);
  if (words !== undefined) await showMessage('information', words);
}

/** On the row of the active connection it asks, too. */
function registerSwitch({ commands, connections }: ConnectionCommandsDeps): Disposable {
  const ask = async () => ({ connectionId: await pickConnection(connections) });
  return commands.register('connection.switch', {
    ask,
    run: async (argument, { isInteractive }) => {
      const isActive = isInteractive && argument.connectionId === connections.active.current?.id;
      const { connectionId } = isActive ? await ask() : argument;
      await connections.switchTo(connectionId);
      return { connectionId };
    },
  });
}

function nameOf(connections: Connections, connectionId: string): string {
  return plainLine(connectionName(connections, connectionId), 80);
}

function registerRename({ commands, connections }: ConnectionCommandsDeps): Disposable {
  return commands.register('connection.rename', {
    ask: async () => ({ connectionId: await pickConnection(connections) }),
    run: async ({ connectionId, name }) => {
      const chosen =
        name ??
        (await askName(
          vscode.l10n.t('New name of the connection'),
          connectionName(connections, connectionId),
        ));
      const renamed = await connections.rename(connectionId, chosen);
      return { connectionId, name: renamed.name };
    },
  });
}

function registerRemove({ commands, connections }: ConnectionCommandsDeps): Disposable {
  return commands.register('connection.remove', {
    ask: async () => ({ connectionId: await pickConnection(connections) }),
    run: async ({ connectionId }, { isInteractive }) => {
      if (isInteractive) {
        await confirm(
          vscode.l10n.t('Remove connection "{0}"?', nameOf(connections, connectionId)),
          vscode.l10n.t('Remove'),
          connections.get(connectionId).kind === 'local'
            ? vscode.l10n.t(
                "The local service's data stays on this machine. To connect again, start the service.",
              )
            : vscode.l10n.t(
                'Its API key is deleted from this machine: you need the key to connect again. Nothing changes on the service.',
              ),
        );
      }
      await connections.remove(connectionId);
      return { connectionId };
    },
  });
}

/** Returns one sentence; undefined where nothing is missing. */
export function describeLacks(offered: ReadonlySet<Capability>): string | undefined {
  const lacks = [
    ...(offered.has('cancel') ? [] : [l10n.t("executions can't be cancelled")]),
    ...(offered.has('saveAlone') ? [] : [l10n.t('what you save of a deployed workflow is deployed at once')]),
    ...(offered.has('mcp') ? [] : [l10n.t('only webhooks start executions, and there are no drafts')]),
  ];
  if (lacks.length === 0) return undefined;
  return l10n.t('This service is an older version: {0}.', lacks.join('; '));
}

function registerReplaceKey({ commands, connections }: ConnectionCommandsDeps): Disposable {
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

function registerReplaceMcpToken({ commands, connections }: ConnectionCommandsDeps): Disposable {
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

function registerSettingsPage({ commands, connections }: ConnectionCommandsDeps): Disposable {
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

export function registerConnectionCommands(deps: ConnectionCommandsDeps): Disposable {
  return combine(
    registerAdd(deps),
    registerSwitch(deps),
    registerRename(deps),
    registerRemove(deps),
    registerReplaceKey(deps),
    registerReplaceMcpToken(deps),
    registerSettingsPage(deps),
  );
}
