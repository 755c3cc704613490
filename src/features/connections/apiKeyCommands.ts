// The commands that create and revoke API keys of the local service.
import * as vscode from 'vscode';
import { combine, type Disposable } from '../../base/disposable.ts';
import { parseJson, stringifyJson } from '../../base/json.ts';
import type { ApiKey, KeyExpiration } from '../../domain/apiKey.ts';
import { askInDialog, confirm, type DialogButton } from '../../editor/prompts/dialogs.ts';
import { plainLine } from '../../base/format.ts';
import { PlainError } from '../../editor/plainError.ts';
import { choose } from '../../editor/prompts/prompts.ts';
import { runSteps, textStep } from '../../editor/prompts/steps.ts';
import type { App } from '../../ui/app.ts';
import { expirationStep } from './keySteps.ts';
import { formats } from '../../words/formats.ts';

type ApiKeyCommandsDeps = Pick<App, 'commands' | 'connections' | 'localService' | 'services'>;

interface NewKey {
  readonly name: string;
  readonly expiration: KeyExpiration;
}

function requireSettings({ connections, localService, services }: ApiKeyCommandsDeps) {
  const state = localService.state.current;
  if (state.kind === 'running') return state.settings;
  const active = connections.active.current;
  if (active !== null) services.demand(active.id, 'apiKeys');
  throw new PlainError(
    vscode.l10n.t("The local service isn't running. Keys of other services are created in their settings."),
    [{ label: vscode.l10n.t('Start the Local Service'), command: 'localService.start' }],
  );
}

async function askNewKey(): Promise<NewKey> {
  const draft: { name: string; expiration: KeyExpiration | undefined } = { name: '', expiration: undefined };
  await runSteps(vscode.l10n.t('Create API Key'), [
    textStep(
      () => ({
        prompt: vscode.l10n.t('Name, for example the app that uses it'),
        value: draft.name,
        validate: (text) => (text.trim() === '' ? vscode.l10n.t('Enter a name for the key.') : undefined),
      }),
      (name) => {
        draft.name = name;
      },
    ),
    expirationStep(draft, vscode.l10n.t('When does this key expire?')),
  ]);
  const { name, expiration = '90d' } = draft;
  return { name, expiration };
}

/** Keeps a new key at hand until the user has copied it, revoked it or given it up. It's never shown in full. */
async function handOver(
  { name, key }: ApiKey & { readonly key: string },
  revoke: () => Promise<void>,
): Promise<void> {
  const copy: DialogButton<() => PromiseLike<void>> = {
    label: vscode.l10n.t('Copy Key'),
    value: () => vscode.env.clipboard.writeText(key),
  };
  const shownName = plainLine(name, 80);
  const chosen =
    (await askInDialog({
      kind: 'information',
      question: vscode.l10n.t('API key "{0}" created', shownName),
      detail: vscode.l10n.t("Copy it now; you can't copy it later."),
      buttons: [copy],
      close: vscode.l10n.t('Close'),
    })) ??
    (await askInDialog({
      question: vscode.l10n.t('Close without copying API key "{0}"?', shownName),
      detail: vscode.l10n.t("You can't copy it later. If you don't need it, revoke it."),
      buttons: [copy, { label: vscode.l10n.t('Revoke Key'), value: revoke }],
      close: vscode.l10n.t('Close Without Copying'),
    }));
  await chosen?.();
}

function registerCreate(deps: ApiKeyCommandsDeps, onDidChangeKeys: () => void): Disposable {
  return deps.commands.register('apiKey.create', {
    ask: async () => {
      // Fails before the questions are asked, not after them.
      requireSettings(deps);
      return askNewKey();
    },
    run: async ({ name, expiration }, { isInteractive }) => {
      const created = await requireSettings(deps).createKey(name, expiration);
      onDidChangeKeys();
      if (!isInteractive) return parseJson(stringifyJson(created));
      await handOver(created, async () => {
        await requireSettings(deps).revokeKey(created.id);
        onDidChangeKeys();
      });
      return undefined;
    },
  });
}

async function pickKey(deps: ApiKeyCommandsDeps): Promise<string> {
  const keys = requireSettings(deps).listKeys();
  const choices = keys.then((all) =>
    all
      .filter((key) => key.revokedAt === null)
      .map((key) => ({ label: plainLine(key.name), description: plainLine(key.preview), value: key.id })),
  );
  return choose(vscode.l10n.t('Select the API key to revoke'), choices);
}

async function confirmRevoke(deps: ApiKeyCommandsDeps, keyId: string): Promise<void> {
  const key = (await requireSettings(deps).listKeys()).find(({ id }) => id === keyId);
  const sentences = [
    ...(key === undefined ? [] : [describeUse(key)]),
    vscode.l10n.t("Apps that use this key stop working immediately. You can't undo this."),
  ];
  await confirm(
    vscode.l10n.t('Revoke API key "{0}"?', plainLine(key?.name ?? keyId, 80)),
    vscode.l10n.t('Revoke'),
    sentences.join(' '),
  );
}

function describeUse({ lastUsedAt }: ApiKey): string {
  return lastUsedAt === null
    ? vscode.l10n.t('It was never used.')
    : vscode.l10n.t('It was last used on {0}.', formats.time(lastUsedAt));
}

function registerRevoke(deps: ApiKeyCommandsDeps, onDidChangeKeys: () => void): Disposable {
  return deps.commands.register('apiKey.revoke', {
    ask: async () => ({ keyId: await pickKey(deps) }),
    run: async ({ keyId }, { isInteractive }) => {
      if (isInteractive) await confirmRevoke(deps, keyId);
      await requireSettings(deps).revokeKey(keyId);
      onDidChangeKeys();
      return { keyId };
    },
  });
}

/** `onDidChangeKeys` is called when the local service's keys have changed. */
export function registerApiKeyCommands(deps: ApiKeyCommandsDeps, onDidChangeKeys: () => void): Disposable {
  return combine(registerCreate(deps, onDidChangeKeys), registerRevoke(deps, onDidChangeKeys));
}
