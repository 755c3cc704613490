import * as vscode from 'vscode';
import { checkBaseUrl, checkName } from '../../model/connections/connectionChecks.ts';
import { isConnectionError } from '../../domain/errors.ts';
import type { Connection } from '../../domain/connection.ts';
import type { VerifyOptions } from '../../model/connections/connections.ts';
import { describeError } from '../words/describeError.ts';
import { askText, choose, confirm, withProgress } from '../../editor/prompts.ts';
import { problemOf } from '../words/describeConnectionError.ts';
import type { KeyExpiration } from '../../domain/apiKey.ts';

/** Asks for the base URL of a service and the name of its connection. */
export async function askAddress(): Promise<{ readonly name: string; readonly baseUrl: string }> {
  const baseUrl = await askText({
    prompt: vscode.l10n.t('Base URL of the service. It ends in the version, such as /v1.'),
    placeHolder: 'https://example.com/api/v1',
    validate: (text) => problemOf(() => checkBaseUrl(text)),
  });
  const name = await askText({
    prompt: vscode.l10n.t('Name of the connection'),
    value: new URL(baseUrl).hostname,
    validate: (text) => problemOf(() => checkName(text)),
  });
  return { name, baseUrl };
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

/** Runs a verification. If the service can't answer, asks whether to continue without it. */
export async function verified(
  title: string,
  work: (options: VerifyOptions) => Promise<Connection>,
): Promise<Connection> {
  try {
    return await withProgress(title, (signal) => work({ signal }));
  } catch (error) {
    if (!isConnectionError(error, 'unverified') || error.reason.kind !== 'unverified') throw error;
    await confirm(
      vscode.l10n.t('The API key could not be checked.'),
      { icon: 'save', label: vscode.l10n.t('Save Unchecked') },
      `${describeError(error.reason.error, Date.now()).message} ${vscode.l10n.t('It can be saved unchecked.')}`,
    );
    return work({ verify: 'never' });
  }
}
