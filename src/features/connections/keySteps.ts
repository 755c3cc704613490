// The steps that ask for an API key, check it with the service, and ask when it expires.
import * as vscode from 'vscode';
import type { KeyExpiration } from '../../domain/apiKey.ts';
import type { Connection, ConnectionKind } from '../../domain/connection.ts';
import { isConnectionError, isServiceError } from '../../domain/errors.ts';
import { plainLine } from '../../base/format.ts';
import { type Choice, showMessage } from '../../editor/prompts/prompts.ts';
import { settings } from '../../editor/settings.ts';
import {
  attemptStep,
  type Move,
  pickStep,
  type Recovery,
  runSteps,
  type PromptStep,
  textStep,
} from '../../editor/prompts/steps.ts';
import { checkKey, checkMcpToken } from '../../model/connections/connectionChecks.ts';
import type { Connections } from '../../model/connections/connections.ts';
import { describeError, problemOf } from '../../ui/words/describeError.ts';
import { shortCause } from '../../words/describeServiceError.ts';
import { describeMissingRights } from '../../words/keyRights.ts';
import { serviceTraits } from '../../domain/serviceTraits.ts';

/** What the steps fill in. */
export interface KeyDraft {
  kind: ConnectionKind;
  baseUrl: string;
  apiKey: string;
  /** Empty: none. */
  mcpToken: string;
  expiration: KeyExpiration | undefined;
}

/** The key isn't shown while it's typed. */
export function keyStep(draft: KeyDraft): PromptStep {
  const prefix = settings.keyPrefix();
  return textStep(
    () => ({
      prompt: vscode.l10n.t("API key. It's stored only in the secret storage of this machine."),
      placeHolder: serviceTraits[draft.kind].hasKeyPrefix ? `${prefix}…` : '',
      value: draft.apiKey,
      isSecret: true,
      validate: (text) => problemOf(() => checkKey(text, prefix, draft.kind)),
    }),
    (text) => {
      draft.apiKey = text;
    },
  );
}

type TokenDraft = Pick<KeyDraft, 'kind' | 'mcpToken'>;

/** Skipped for a kind that takes no token. It isn't shown while it's typed. */
function tokenStep(draft: TokenDraft, prompt: string): PromptStep {
  const step = textStep(
    () => ({
      prompt,
      value: draft.mcpToken,
      isSecret: true,
      validate: (text) => problemOf(() => checkMcpToken(text, draft.kind)),
    }),
    (text) => {
      draft.mcpToken = text;
    },
  );
  return { ...step, isSkipped: () => !serviceTraits[draft.kind].takesMcpToken };
}

/** The question for the token of a new connection. */
export function firstTokenStep(draft: TokenDraft): PromptStep {
  return tokenStep(
    draft,
    vscode.l10n.t('MCP token, to start workflows that have no webhook. Leave it empty for none.'),
  );
}

/** Asks for another token, and checks it. Returns an empty text for none. Rejects with Cancelled on Escape. */
export async function askMcpToken(
  connections: Pick<Connections, 'verifyMcpToken'>,
  { id, name, kind }: Connection,
): Promise<string> {
  const draft: TokenDraft = { kind, mcpToken: '' };
  const token = tokenStep(
    draft,
    vscode.l10n.t(
      "MCP token. It's stored only in the secret storage of this machine. Leave it empty to remove it.",
    ),
  );
  await runSteps(vscode.l10n.t('Replace MCP Token of {0}', plainLine(name, 80)), [
    token,
    attemptStep({
      title: vscode.l10n.t('Verifying the MCP token…'),
      work: (signal) => connections.verifyMcpToken(id, draft.mcpToken, signal),
      recover: (error) => recover(error, { token }),
    }),
  ]);
  return draft.mcpToken;
}

/** When the key expires. */
export function expirationStep(draft: Pick<KeyDraft, 'expiration'>, placeHolder: string): PromptStep {
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
export function knownExpirationStep(draft: Pick<KeyDraft, 'expiration'>): PromptStep {
  return expirationStep(draft, vscode.l10n.t("When does this key expire? You'll be reminded a week before."));
}

/** Asks for another key of a connection, unless there is one already, and checks it. Rejects with Cancelled on Escape. */
export async function askReplacement(
  connections: Pick<Connections, 'verifySecrets'>,
  { name, kind, baseUrl }: Connection,
  apiKey?: string,
): Promise<{ readonly apiKey: string; readonly expiration: KeyExpiration }> {
  const draft: KeyDraft = { kind, baseUrl, apiKey: apiKey ?? '', mcpToken: '', expiration: undefined };
  const key = apiKey === undefined ? keyStep(draft) : undefined;
  await runSteps(vscode.l10n.t('Replace API Key of {0}', plainLine(name, 80)), [
    ...(key === undefined ? [] : [key]),
    checkStep(connections, draft, key === undefined ? {} : { key }),
    knownExpirationStep(draft),
  ]);
  return { apiKey: draft.apiKey, expiration: draft.expiration ?? 'never' };
}

/** The steps in which what was typed can be corrected. */
interface Corrections {
  readonly url?: PromptStep;
  readonly key?: PromptStep;
  readonly token?: PromptStep;
}

/** Checks the key, and the token if there's one, with the service. */
export function checkStep(
  connections: Pick<Connections, 'verifySecrets'>,
  draft: KeyDraft,
  corrections: Corrections,
): PromptStep {
  let checked: readonly string[] = [];
  return attemptStep({
    title: vscode.l10n.t('Verifying the API key…'),
    work: async (signal) => {
      const { kind, baseUrl, apiKey } = draft;
      const mcpToken = serviceTraits[kind].takesMcpToken ? draft.mcpToken : '';
      const asked = [kind, baseUrl, apiKey, mcpToken];
      if (asked.every((each, at) => each === checked[at])) return;
      const missing = await connections.verifySecrets({ kind, baseUrl }, { apiKey, mcpToken }, signal);
      checked = asked;
      if (missing.length > 0) void showMessage('warning', describeMissingRights(missing));
    },
    recover: (error) => recover(error, corrections),
  });
}

function recover(error: unknown, { url, key, token }: Corrections): Recovery | undefined {
  if (!isConnectionError(error)) return undefined;
  const choice = (icon: string, label: string, value: Move | 'again'): Choice<Move | 'again'> => ({
    icon,
    label,
    value,
  });
  const editUrl = url ? [choice('link', vscode.l10n.t('Edit URL'), url)] : [];
  const editKey = key ? [choice('key', vscode.l10n.t('Edit Key'), key)] : [];
  const editToken = token ? [choice('key', vscode.l10n.t('Edit MCP Token'), token)] : [];
  const again = choice('refresh', vscode.l10n.t('Try Again'), 'again');
  switch (error.reason.kind) {
    case 'unverified': {
      const save = choice('save', vscode.l10n.t('Save Anyway'), 'next');
      return {
        message: describeUnverified(error.reason.error),
        choices: [...editUrl, ...editKey, ...(url || key ? [] : editToken), again, save],
      };
    }
    case 'keyRejected':
      return { message: describeError(error).message, choices: [...editKey, ...editUrl, again] };
    case 'mcpMissing':
    case 'mcpTokenRejected':
      return { message: describeError(error).message, choices: [...editToken, again] };
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
