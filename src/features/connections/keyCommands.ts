// The commands about keys: a connection's own, where a remote service makes them, and those that the local service makes.
import * as vscode from 'vscode';
import { combine, type Disposable } from '../../base/disposable.ts';
import { parseJson } from '../../base/json.ts';
import type { ApiKey, KeyExpiration } from '../../domain/apiKey.ts';
import { plainLine } from '../../editor/format.ts';
import { PlainError } from '../../editor/plainError.ts';
import { askText, choose, confirm } from '../../editor/prompts.ts';
import { checkSettingsUrl } from '../../model/connections/connectionChecks.ts';
import type { LocalService } from '../../model/localService.ts';
import { requireActiveConnection } from '../../ui/activeConnection.ts';
import type { App } from '../../ui/app.ts';
import { problemOf } from '../../ui/words/describeError.ts';
import { connectionName } from '../../ui/words/names.ts';
import { askApiKey, askExpiration, verified } from './askConnection.ts';

type Deps = Pick<App, 'commands' | 'connections' | 'localService'>;

function registerReplaceKey({ commands, connections }: Deps): Disposable {
  return commands.register('connection.replaceKey', {
    ask: () => Promise.resolve({ connectionId: requireActiveConnection(connections).id }),
    run: async ({ connectionId, apiKey }, { isInteractive }) => {
      if (!isInteractive && apiKey !== undefined) {
        await connections.replaceKey(connectionId, apiKey);
        return { connectionId };
      }
      const key = await askApiKey(connectionName(connections, connectionId));
      const expiration = await askExpiration();
      await verified((options) => connections.replaceKey(connectionId, key, { ...options, expiration }));
      return { connectionId };
    },
  });
}

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

function registerSettingsPage({ commands, connections }: Deps): Disposable {
  const ask = () => Promise.resolve({ connectionId: requireActiveConnection(connections).id });
  return combine(
    commands.register('connection.setSettingsPage', {
      ask,
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
    }),
    commands.register('connection.openSettingsPage', {
      ask,
      run: async ({ connectionId }, { isInteractive }) => {
        const { settingsUrl } = connections.get(connectionId);
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

interface NewKey {
  readonly name: string;
  readonly expiration: KeyExpiration;
}

function requireSettings(localService: LocalService) {
  const state = localService.state.current;
  if (state.kind === 'running') return state.settings;
  throw new PlainError(
    vscode.l10n.t('The local service is not running. Keys of other services are made in their own settings.'),
    [{ label: vscode.l10n.t('Start the Local Service'), command: 'localService.start' }],
  );
}

async function askNewKey(): Promise<NewKey> {
  const name = await askText({
    prompt: vscode.l10n.t('Name of the API key: say what will use it'),
    validate: (text) => (text.trim() === '' ? vscode.l10n.t('A key needs a name.') : undefined),
  });
  return { name, expiration: await askExpiration() };
}

/** Offers to copy the new key, which can't be read again and is never shown in full. */
async function offerCopy(created: ApiKey & { readonly key: string }): Promise<void> {
  await confirm(
    vscode.l10n.t('The API key "{0}" was created.', plainLine(created.name)),
    { icon: 'copy', label: vscode.l10n.t('Copy Key') },
    vscode.l10n.t('It can be copied now and never again.'),
  );
  await vscode.env.clipboard.writeText(created.key);
}

function registerCreate({ commands, localService }: Deps, onDidChangeKeys: () => void): Disposable {
  return commands.register('apiKey.create', {
    ask: async () => {
      // Fails before the questions are asked, not after them.
      requireSettings(localService);
      return askNewKey();
    },
    run: async ({ name, expiration }, { isInteractive }) => {
      const created = await requireSettings(localService).createKey(name, expiration);
      onDidChangeKeys();
      if (!isInteractive) return parseJson(JSON.stringify(created));
      await offerCopy(created);
      return undefined;
    },
  });
}

async function pickKey(localService: LocalService): Promise<string> {
  const keys = requireSettings(localService).listKeys();
  const choices = keys.then((all) =>
    all
      .filter((key) => key.revokedAt === null)
      .map((key) => ({ label: plainLine(key.name), description: plainLine(key.preview), value: key.id })),
  );
  return choose(vscode.l10n.t('Choose the API key to revoke'), choices);
}

function registerRevoke({ commands, localService }: Deps, onDidChangeKeys: () => void): Disposable {
  return commands.register('apiKey.revoke', {
    ask: async () => ({ keyId: await pickKey(localService) }),
    run: async ({ keyId }, { isInteractive }) => {
      if (isInteractive) {
        await confirm(
          vscode.l10n.t('Revoke this API key?'),
          { icon: 'circle-slash', label: vscode.l10n.t('Revoke') },
          vscode.l10n.t('Whatever uses it is refused from the next request on. This cannot be undone.'),
        );
      }
      await requireSettings(localService).revokeKey(keyId);
      onDidChangeKeys();
      return { keyId };
    },
  });
}

/** `onDidChangeKeys` is called when the local service's keys have changed. */
export function registerKeyCommands(deps: Deps, onDidChangeKeys: () => void): Disposable {
  return combine(
    registerReplaceKey(deps),
    registerSettingsPage(deps),
    registerCreate(deps, onDidChangeKeys),
    registerRevoke(deps, onDidChangeKeys),
  );
}
