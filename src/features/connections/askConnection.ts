// The questions about a connection: which one, where its service is, its key, and how long the key is valid.
import * as vscode from 'vscode';
import type { KeyExpiration } from '../../domain/apiKey.ts';
import type { Connection } from '../../domain/connection.ts';
import { plainLine } from '../../editor/format.ts';
import { askText, choose, confirm, withProgress } from '../../editor/prompts.ts';
import { settings } from '../../editor/settings.ts';
import { checkBaseUrl, checkKey, checkName } from '../../model/connections/connectionChecks.ts';
import type { Connections, VerifyOptions } from '../../model/connections/connections.ts';
import { requireActiveConnection } from '../../ui/activeConnection.ts';
import { describeError, problemOf } from '../../ui/words/describeError.ts';
import { isConnectionError } from '../../domain/errors.ts';

/** Lets the user choose a connection. Throws a PlainError if there is none. */
export async function pickConnection(connections: Connections): Promise<string> {
  const active = requireActiveConnection(connections);
  return choose(
    vscode.l10n.t('Choose a connection'),
    connections.all.current.map((connection) => ({
      label: plainLine(connection.name),
      description: connection.id === active.id ? vscode.l10n.t('active') : '',
      detail: plainLine(connection.baseUrl),
      value: connection.id,
    })),
  );
}

/** The name of a connection. value: the name so far. */
export function askName(prompt: string, value: string): Promise<string> {
  return askText({ prompt, value, validate: (text) => problemOf(() => checkName(text)) });
}

/** Asks for the base URL of a service and the name of its connection. */
export async function askAddress(): Promise<{ readonly name: string; readonly baseUrl: string }> {
  const baseUrl = await askText({
    prompt: vscode.l10n.t('Base URL of the service. It ends in the version, such as /v1.'),
    placeHolder: 'https://example.com/api/v1',
    validate: (text) => problemOf(() => checkBaseUrl(text)),
  });
  const name = await askName(vscode.l10n.t('Name of the connection'), new URL(baseUrl).hostname);
  return { name, baseUrl };
}

/** The key isn't shown while it's typed. */
export function askApiKey(serviceName: string): Promise<string> {
  const prefix = settings.keyPrefix();
  return askText({
    prompt: vscode.l10n.t(
      'API key of {0}. It is kept in the secret storage of this machine only.',
      plainLine(serviceName, 80),
    ),
    placeHolder: `${prefix}…`,
    isSecret: true,
    validate: (text) => problemOf(() => checkKey(text, prefix)),
  });
}

/** Asks how long the key is valid, for a reminder before it expires. */
export function askExpiration(): Promise<KeyExpiration> {
  return choose<KeyExpiration>(
    vscode.l10n.t('How long is this key valid? A reminder comes a week before its end.'),
    [
      { label: vscode.l10n.t('Never expires'), value: 'never' },
      { label: vscode.l10n.t('30 days'), value: '30d' },
      { label: vscode.l10n.t('90 days'), value: '90d' },
      { label: vscode.l10n.t('1 year'), value: '1y' },
    ],
  );
}

/** Verifies a key. If the service can't answer, asks whether to continue without it. */
export async function verified(work: (options: VerifyOptions) => Promise<Connection>): Promise<Connection> {
  try {
    return await withProgress(vscode.l10n.t('Checking the API key…'), (signal) => work({ signal }));
  } catch (error) {
    if (!isConnectionError(error, 'unverified') || error.reason.kind !== 'unverified') throw error;
    await confirm(
      vscode.l10n.t('The API key could not be checked.'),
      { icon: 'save', label: vscode.l10n.t('Save Unchecked') },
      `${describeError(error.reason.error).message} ${vscode.l10n.t('It can be saved unchecked.')}`,
    );
    return work({ verify: 'never' });
  }
}
