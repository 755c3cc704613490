// Connecting to a service, step by step; Escape at any step leaves everything as it was.
import * as vscode from 'vscode';
import { checkKey } from '../../model/connections/connectionChecks.ts';
import type { Connection } from '../../domain/connection.ts';
import type { Connections, NewConnection } from '../../model/connections/connections.ts';
import { problemOf } from '../../ui/words/describeConnectionError.ts';
import { askAddress, askExpiration, verified } from '../../ui/pickers/newConnection.ts';
import { askText } from '../../editor/prompts.ts';
import { settings } from '../../editor/settings.ts';

/** Asks for an API key; it is never shown. */
export function askApiKey(serviceName: string): Promise<string> {
  const prefix = settings.keyPrefix();
  return askText({
    prompt: vscode.l10n.t(
      'API key of {0}. It is kept in the secret storage of this machine only.',
      serviceName,
    ),
    placeHolder: `${prefix}…`,
    isSecret: true,
    validate: (text) => problemOf(() => checkKey(text, prefix)),
  });
}

export async function askConnection(): Promise<NewConnection> {
  const address = await askAddress();
  const apiKey = await askApiKey(address.name);
  return { ...address, apiKey, expiration: await askExpiration() };
}

export function addInteractively(connections: Connections, connection: NewConnection): Promise<Connection> {
  return verified(vscode.l10n.t('Checking the API key…'), (options) => connections.add(connection, options));
}
