// The commands about the local service's secrets. A value goes to the service only, and nothing shows it again.
import * as vscode from 'vscode';
import { combine, type Disposable } from '../../base/disposable.ts';
import {
  findValueFault,
  findValueRisk,
  isSecretName,
  maximumOrigins,
  readOrigin,
} from '../../domain/secret.ts';
import { confirm } from '../../editor/prompts/dialogs.ts';
import { plainLine } from '../../base/format.ts';
import { PlainError } from '../../editor/plainError.ts';
import { choose, showMessage } from '../../editor/prompts/prompts.ts';
import { showStatusBarMessage } from '../../editor/prompts/statusBarMessage.ts';
import { runSteps, type PromptStep, textStep } from '../../editor/prompts/steps.ts';
import type { LocalService } from '../../model/localService.ts';
import type { App } from '../../ui/app.ts';
import { describeSecret } from '../../words/secrets.ts';

export type SecretCommandsDeps = Pick<App, 'clock' | 'commands' | 'localService' | 'secrets'>;

interface NewSecret {
  readonly name: string;
  readonly value: string;
  /** None: any. */
  readonly origins: readonly string[];
}

function requireSettings(localService: Pick<LocalService, 'state'>) {
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

function valueWarning(value: string): string | undefined {
  switch (findValueRisk(value.trim())) {
    case undefined:
      return undefined;
    case 'number':
      return vscode.l10n.t(
        "It looks like a number. Wherever such a number stands in a log or a response, it's hidden too.",
      );
    case 'date':
      return vscode.l10n.t(
        "It looks like a date. Wherever such a date stands in a log or a response, it's hidden too.",
      );
    case 'word':
      return vscode.l10n.t(
        "It looks like an ordinary word. Wherever the word stands in a log or a response, it's hidden too.",
      );
    case 'json':
      return vscode.l10n.t(
        "It looks like a piece of JSON. Wherever such a piece stands in a log or a response, it's hidden too.",
      );
    case 'short':
      return vscode.l10n.t(
        "It has fewer than 12 characters. Wherever they stand in a log or a response, they're hidden too.",
      );
  }
}

function originsIn(text: string): readonly string[] {
  return text.split(/[\s,]+/).filter((origin) => origin !== '');
}

function originsProblem(text: string): string | undefined {
  const origins = originsIn(text);
  if (origins.length > maximumOrigins)
    return vscode.l10n.t('A secret can have at most {0} origins.', maximumOrigins);
  const wrong = origins.find((origin) => readOrigin(origin) === undefined);
  if (wrong === undefined) return undefined;
  return vscode.l10n.t(
    '"{0}" isn\'t an origin. An origin is http or https, a host and perhaps a port, without a path.',
    plainLine(wrong, 80),
  );
}

/** `present`: those that the secret has. */
function originsStep(
  present: () => readonly string[],
  keep: (origins: readonly string[]) => void,
): PromptStep {
  let typed: string | undefined;
  return textStep(
    () => ({
      prompt: vscode.l10n.t('Origins that may receive it, separated by spaces. Leave it empty for any.'),
      placeHolder: 'https://api.example.com',
      value: (typed ??= present().join(' ')),
      validate: originsProblem,
    }),
    (text) => {
      typed = text;
      keep(originsIn(text));
    },
  );
}

/** The value isn't shown while it's typed. */
function valueStep(keep: (value: string) => void): PromptStep {
  let typed = '';
  return textStep(
    () => ({
      prompt: vscode.l10n.t('Value. The local service stores it encrypted, and nobody can read it again.'),
      value: typed,
      isSecret: true,
      validate: valueProblem,
      warn: valueWarning,
    }),
    (value) => {
      typed = value;
      keep(value);
    },
  );
}

/** Asks for what is missing. */
export async function askSecret(
  { secrets }: Pick<App, 'secrets'>,
  known: Partial<NewSecret>,
  suggestedName = '',
): Promise<NewSecret> {
  let { name = suggestedName, value = '', origins = [] } = known;
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
  const askOrigins = originsStep(
    () => secrets.known.current?.get(name.trim())?.origins ?? [],
    (chosen) => {
      origins = chosen;
    },
  );
  await runSteps(vscode.l10n.t('Create Secret'), [
    ...(known.name === undefined ? [nameStep] : []),
    ...(known.value === undefined ? [askValue] : []),
    ...(known.origins === undefined ? [askOrigins] : []),
  ]);
  return { name, value, origins };
}

/** Stores a secret, and asks before it replaces another one. */
export async function storeSecret(
  {
    localService,
    secrets,
  }: {
    readonly localService: Pick<LocalService, 'state'>;
    readonly secrets: Pick<App['secrets'], 'reload'>;
  },
  { name, value, origins }: NewSecret,
  isInteractive: boolean,
): Promise<void> {
  // Another window may have created it since they were listed here.
  const present = isInteractive ? await requireSettings(localService).listSecrets() : [];
  if (present.some((secret) => secret.name === name))
    await confirm(
      vscode.l10n.t('Replace the value of secret "{0}"?', name),
      vscode.l10n.t('Replace'),
      vscode.l10n.t("Workflows use the new value from now on. You can't get the old one back."),
    );
  await requireSettings(localService).setSecret(name, { value, origins });
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
      const { name, value, origins } = given;
      const asked = await askSecret(deps, {
        ...(name !== undefined && { name }),
        ...(value !== undefined && { value }),
        ...(origins !== undefined ? { origins } : isInteractive ? {} : { origins: [] }),
      });
      await storeSecret(deps, asked, isInteractive);
      if (isInteractive) showStatusBarMessage(vscode.l10n.t('Secret "{0}" created.', asked.name));
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
    run: async ({ name, value = '', origins }, { isInteractive }) => {
      const settings = requireSettings(deps.localService);
      const present = (await settings.listSecrets()).find((secret) => secret.name === name)?.origins ?? [];
      let next = { value, origins: origins ?? present };
      if (isInteractive)
        await runSteps(vscode.l10n.t('Replace Value of {0}', plainLine(name, 80)), [
          valueStep((typed) => {
            next = { ...next, value: typed };
          }),
          originsStep(
            () => next.origins,
            (chosen) => {
              next = { ...next, origins: chosen };
            },
          ),
        ]);
      await settings.setSecret(name, next);
      await deps.secrets.reload();
      if (isInteractive) showStatusBarMessage(vscode.l10n.t('Value of "{0}" replaced.', name));
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
  return combine(registerCreate(deps), registerReplace(deps), registerDelete(deps));
}
