// The steps that ask for an API key, check it with the service, and ask when it expires.
import * as vscode from 'vscode';
import type { KeyExpiration } from '../../domain/apiKey.ts';
import type { Connection } from '../../domain/connection.ts';
import { isConnectionError, isServiceError } from '../../domain/errors.ts';
import { plainLine } from '../../editor/format.ts';
import type { Choice } from '../../editor/prompts.ts';
import { settings } from '../../editor/settings.ts';
import {
  attemptStep,
  type Move,
  pickStep,
  type Recovery,
  runSteps,
  type Step,
  textStep,
} from '../../editor/steps.ts';
import { checkKey } from '../../model/connections/connectionChecks.ts';
import type { Connections } from '../../model/connections/connections.ts';
import { describeError, problemOf } from '../../ui/words/describeError.ts';
import { shortCause } from '../../ui/words/describeServiceError.ts';

/** What the steps fill in. */
export interface KeyDraft {
  baseUrl: string;
  apiKey: string;
  expiration: KeyExpiration | undefined;
}

/** The key isn't shown while it's typed. */
export function keyStep(draft: KeyDraft): Step {
  const prefix = settings.keyPrefix();
  return textStep(
    () => ({
      prompt: vscode.l10n.t("API key. It's stored only in the secret storage of this machine."),
      placeHolder: `${prefix}…`,
      value: draft.apiKey,
      isSecret: true,
      validate: (text) => problemOf(() => checkKey(text, prefix)),
    }),
    (text) => {
      draft.apiKey = text;
    },
  );
}

/** When the key expires. */
export function expirationStep(draft: Pick<KeyDraft, 'expiration'>, placeHolder: string): Step {
  return pickStep<KeyExpiration>(
    () => ({
      placeHolder,
      choices: [
        { label: vscode.l10n.t('In 90 days'), value: '90d' },
        { label: vscode.l10n.t('In 30 days'), value: '30d' },
        { label: vscode.l10n.t('In 1 year'), value: '1y' },
        { label: vscode.l10n.t('Never'), value: 'never' },
      ],
      ...(draft.expiration === undefined ? {} : { value: draft.expiration }),
    }),
    (expiration) => {
      draft.expiration = expiration;
    },
  );
}

/** The question of a key that a service made: the reminder depends on the answer. */
export function knownExpirationStep(draft: Pick<KeyDraft, 'expiration'>): Step {
  return expirationStep(draft, vscode.l10n.t("When does this key expire? You'll be reminded a week before."));
}

/** Asks for another key of a connection, unless there is one already, and checks it. Rejects with Cancelled on Escape. */
export async function askReplacement(
  connections: Pick<Connections, 'verifyKey'>,
  { name, kind, baseUrl }: Connection,
  apiKey?: string,
): Promise<{ readonly apiKey: string; readonly expiration: KeyExpiration }> {
  const draft: KeyDraft = { baseUrl, apiKey: apiKey ?? '', expiration: undefined };
  const key = apiKey === undefined ? keyStep(draft) : undefined;
  await runSteps(vscode.l10n.t('Replace API Key of {0}', plainLine(name, 80)), [
    ...(key === undefined ? [] : [key]),
    checkStep(connections, kind, draft, key === undefined ? {} : { key }),
    knownExpirationStep(draft),
  ]);
  return { apiKey: draft.apiKey, expiration: draft.expiration ?? 'never' };
}

/** The steps in which what was typed can be corrected. */
interface Corrections {
  readonly url?: Step;
  readonly key?: Step;
}

/** Checks the key with the service. */
export function checkStep(
  connections: Pick<Connections, 'verifyKey'>,
  kind: Connection['kind'],
  draft: KeyDraft,
  corrections: Corrections,
): Step {
  let checked: Pick<KeyDraft, 'baseUrl' | 'apiKey'> | undefined;
  return attemptStep({
    title: vscode.l10n.t('Verifying the API key…'),
    work: async (signal) => {
      const { baseUrl, apiKey } = draft;
      if (checked?.baseUrl === baseUrl && checked.apiKey === apiKey) return;
      await connections.verifyKey({ kind, baseUrl }, apiKey, signal);
      checked = { baseUrl, apiKey };
    },
    recover: (error) => recover(error, corrections),
  });
}

function recover(error: unknown, { url, key }: Corrections): Recovery | undefined {
  if (!isConnectionError(error)) return undefined;
  const choice = (icon: string, label: string, value: Move | 'again'): Choice<Move | 'again'> => ({
    icon,
    label,
    value,
  });
  const editUrl = url ? [choice('link', vscode.l10n.t('Edit URL'), url)] : [];
  const editKey = key ? [choice('key', vscode.l10n.t('Edit Key'), key)] : [];
  const again = choice('refresh', vscode.l10n.t('Try Again'), 'again');
  switch (error.reason.kind) {
    case 'unverified': {
      const save = choice('save', vscode.l10n.t('Save Anyway'), 'next');
      return {
        message: describeUnverified(error.reason.error),
        choices: [...editUrl, ...editKey, again, save],
      };
    }
    case 'keyRejected':
      return { message: describeError(error).message, choices: [...editKey, ...editUrl, again] };
    case 'notTheService':
      return { message: describeError(error).message, choices: [...editUrl, ...editKey, again] };
    default:
      return undefined;
  }
}

function describeUnverified(error: unknown): string {
  return isServiceError(error) && error.reason.kind === 'unreachable'
    ? vscode.l10n.t("Couldn't verify the key: {0}.", shortCause(error.reason.cause))
    : `${vscode.l10n.t("Couldn't verify the key.")} ${describeError(error).message}`;
}
