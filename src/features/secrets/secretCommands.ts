// The commands about the local service's secrets. A value goes to the service only, and nothing shows it again.
import * as vscode from 'vscode';
import { combine, type Disposable } from '../../base/disposable.ts';
import { findValueFault, isSecretName } from '../../domain/secret.ts';
import { copyText } from '../../editor/clipboard.ts';
import { confirm } from '../../editor/dialogs.ts';
import { plainLine } from '../../editor/format.ts';
import { PlainError } from '../../editor/plainError.ts';
import { choose, showMessage } from '../../editor/prompts.ts';
import { sayInStatusBar } from '../../editor/statusBarMessage.ts';
import { runSteps, type Step, textStep } from '../../editor/steps.ts';
import type { LocalService } from '../../model/localService.ts';
import type { App } from '../../ui/app.ts';
import { describeSecret } from '../../ui/words/secrets.ts';

export type SecretCommandsDeps = Pick<App, 'clock' | 'commands' | 'localService' | 'secrets'>;

interface NewSecret {
  readonly name: string;
  readonly value: string;
}

function requireSettings(localService: LocalService) {
  const state = localService.state.current;
  if (state.kind === 'running') return state.settings;
  throw new PlainError(vscode.l10n.t("The local service isn't running. Secrets are stored by it."), [
    { label: vscode.l10n.t('Start the Local Service'), command: 'localService.start' },
  ]);
}

function nameProblem(name: string): string | undefined {
  if (isSecretName(name.trim())) return undefined;
  return vscode.l10n.t("Use at most 64 letters, digits and _, and don't begin with a digit.");
}

function valueProblem(value: string): string | undefined {
  switch (findValueFault(value.trim())) {
    case undefined:
      return undefined;
    case 'empty':
      return vscode.l10n.t('Enter a value.');
    case 'tooLong':
      return vscode.l10n.t('A value can have at most 16,384 bytes.');
    case 'notText':
      return vscode.l10n.t("This value isn't valid text.");
  }
}

/** The value isn't shown while it's typed. */
function valueStep(keep: (value: string) => void): Step {
  let typed = '';
  return textStep(
    () => ({
      prompt: vscode.l10n.t('Value. The local service stores it encrypted, and nobody can read it again.'),
      value: typed,
      isSecret: true,
      validate: valueProblem,
    }),
    (value) => {
      typed = value;
      keep(value);
    },
  );
}

/** Asks for what is missing. */
export async function askSecret(known: Partial<NewSecret>, suggestedName = ''): Promise<NewSecret> {
  let { name = suggestedName, value = '' } = known;
  const nameStep = textStep(
    () => ({
      prompt: vscode.l10n.t(
        'Name, for example API_TOKEN. HTTP request nodes use it as {0}.',
        '{{ secrets.NAME }}',
      ),
      value: name,
      validate: nameProblem,
    }),
    (text) => {
      name = text;
    },
  );
  const askValue = valueStep((text) => {
    value = text;
  });
  await runSteps(vscode.l10n.t('Create Secret'), [
    ...(known.name === undefined ? [nameStep] : []),
    ...(known.value === undefined ? [askValue] : []),
  ]);
  return { name, value };
}

/** Stores a value, and asks before it replaces another one. */
export async function storeSecret(
  { localService, secrets }: Pick<App, 'localService' | 'secrets'>,
  { name, value }: NewSecret,
  isInteractive: boolean,
): Promise<void> {
  if (isInteractive && secrets.known.current?.has(name) === true)
    await confirm(
      vscode.l10n.t('Replace the value of secret "{0}"?', name),
      vscode.l10n.t('Replace'),
      vscode.l10n.t("Workflows use the new value from now on. You can't get the old one back."),
    );
  await requireSettings(localService).setSecret(name, value);
  await secrets.reload();
}

function registerCreate(deps: SecretCommandsDeps): Disposable {
  return deps.commands.register('secret.create', {
    ask: () => {
      // Fails before the questions are asked, not after them.
      requireSettings(deps.localService);
      return Promise.resolve({});
    },
    run: async (given, { isInteractive }) => {
      requireSettings(deps.localService);
      const { name, value } = given;
      const asked = await askSecret({
        ...(name !== undefined && { name }),
        ...(value !== undefined && { value }),
      });
      await storeSecret(deps, asked, isInteractive);
      if (isInteractive) sayInStatusBar(vscode.l10n.t('Secret "{0}" created.', asked.name));
      return { name: asked.name };
    },
  });
}

async function pickSecret({ localService, clock }: SecretCommandsDeps, prompt: string): Promise<string> {
  const secrets = requireSettings(localService).listSecrets();
  const choices = secrets.then((all) =>
    all.map((secret) => ({
      label: plainLine(secret.name),
      description: describeSecret(secret, clock.now()),
      value: secret.name,
    })),
  );
  return choose(prompt, choices);
}

function registerReplace(deps: SecretCommandsDeps): Disposable {
  return deps.commands.register('secret.replaceValue', {
    ask: async () => ({ name: await pickSecret(deps, vscode.l10n.t('Select the secret to replace')) }),
    run: async ({ name, value }, { isInteractive }) => {
      const settings = requireSettings(deps.localService);
      let next = isInteractive ? undefined : value;
      if (next === undefined)
        await runSteps(vscode.l10n.t('Replace Value of {0}', plainLine(name, 80)), [
          valueStep((text) => {
            next = text;
          }),
        ]);
      await settings.setSecret(name, next ?? '');
      await deps.secrets.reload();
      if (isInteractive) sayInStatusBar(vscode.l10n.t('Value of "{0}" replaced.', name));
      return { name };
    },
  });
}

function registerCopyName(deps: SecretCommandsDeps): Disposable {
  return deps.commands.register('secret.copyName', {
    ask: async () => ({
      name: await pickSecret(deps, vscode.l10n.t('Select the secret whose name to copy')),
    }),
    run: async ({ name }, { isInteractive }) => {
      if (isInteractive) await copyText(name, vscode.l10n.t('Name copied.'));
      return { name };
    },
  });
}

function registerDelete(deps: SecretCommandsDeps): Disposable {
  return deps.commands.register('secret.delete', {
    ask: async () => ({ name: await pickSecret(deps, vscode.l10n.t('Select the secret to delete')) }),
    run: async ({ name }, { isInteractive }) => {
      if (isInteractive)
        await confirm(
          vscode.l10n.t('Delete secret "{0}"?', plainLine(name, 80)),
          vscode.l10n.t('Delete'),
          vscode.l10n.t("Nodes that use it fail from now on. You can't undo this."),
        );
      await requireSettings(deps.localService).deleteSecret(name);
      await deps.secrets.reload();
      if (isInteractive) void showMessage('information', vscode.l10n.t('Secret "{0}" deleted.', name));
      return { name };
    },
  });
}

export function registerSecretCommands(deps: SecretCommandsDeps): Disposable {
  return combine(registerCreate(deps), registerReplace(deps), registerCopyName(deps), registerDelete(deps));
}
