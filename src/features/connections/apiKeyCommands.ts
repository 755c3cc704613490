// The commands that create and revoke the local service's API keys. A key is shown once, so that the user can copy it.
import * as vscode from 'vscode';
import { combine, type Disposable } from '../../base/disposable.ts';
import { parseJson } from '../../base/json.ts';
import type { LocalService } from '../../model/localService.ts';
import type { App } from '../../ui/app.ts';
import { askExpiration } from '../../ui/pickers/newConnection.ts';
import { plainLine } from '../../editor/format.ts';
import { askText, choose, confirm } from '../../editor/prompts.ts';
import type { ApiKey, KeyExpiration } from '../../domain/apiKey.ts';
import { PlainError } from '../../editor/plainError.ts';

export type ApiKeyDeps = Pick<App, 'commands' | 'localService'>;

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

/** Offers to copy the new key. The key can't be read again, and it's never shown in full. */
async function offerCopy(created: ApiKey & { readonly key: string }): Promise<void> {
  await confirm(
    vscode.l10n.t('The API key "{0}" was created.', plainLine(created.name)),
    { icon: 'copy', label: vscode.l10n.t('Copy Key') },
    vscode.l10n.t('It can be copied now and never again.'),
  );
  await vscode.env.clipboard.writeText(created.key);
}

function registerCreate({ commands, localService }: ApiKeyDeps, onDidChangeKeys: () => void): Disposable {
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

function registerRevoke({ commands, localService }: ApiKeyDeps, onDidChangeKeys: () => void): Disposable {
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

export function registerApiKeyCommands(deps: ApiKeyDeps, onDidChangeKeys: () => void): Disposable {
  return combine(registerCreate(deps, onDidChangeKeys), registerRevoke(deps, onDidChangeKeys));
}
