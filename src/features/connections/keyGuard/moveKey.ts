// Moves an API key from a document to the secret storage. A placeholder replaces it in the text, and the key is never shown.
import * as vscode from 'vscode';
import { findKeys, maskKey } from '../../../base/secrets.ts';
import type { Connection } from '../../../domain/connection.ts';
import type { Connections } from '../../../model/connections/connections.ts';
import { askAddress, askExpiration, verified } from '../../../ui/pickers/newConnection.ts';
import { plainLine } from '../../../editor/format.ts';
import { choose } from '../../../editor/prompts.ts';
import { settings } from '../../../editor/settings.ts';
import { placeholderFor } from './placeholder.ts';
import { PlainError } from '../../../editor/plainError.ts';

/** Returns the key at an offset of the text, or else the first key. Throws a PlainError if there is none. */
export function keyAt(document: vscode.TextDocument, offset: number | undefined): string {
  const text = document.getText();
  const found = findKeys(text, settings.keyPrefix());
  const here = found.find(
    (key) => offset !== undefined && key.offset <= offset && offset <= key.offset + key.length,
  );
  const key = here ?? found[0];
  if (key === undefined) throw new PlainError(vscode.l10n.t('There is no API key in this text.'));
  return text.slice(key.offset, key.offset + key.length);
}

const checking = (): string => vscode.l10n.t('Checking the API key…');

async function storeNew(connections: Connections, apiKey: string): Promise<Connection> {
  const address = await askAddress();
  const expiration = await askExpiration();
  return verified(checking(), (options) => connections.add({ ...address, apiKey, expiration }, options));
}

async function storeFor(
  connections: Connections,
  connection: Connection,
  apiKey: string,
): Promise<Connection> {
  if ((await connections.readKey(connection)) === apiKey) return connection;
  const expiration = await askExpiration();
  return verified(checking(), (options) =>
    connections.replaceKey(connection.id, apiKey, { ...options, expiration }),
  );
}

/** Asks the user which connection the key belongs to, and stores it there after the service has accepted it. */
export async function askAndStore(connections: Connections, apiKey: string): Promise<Connection> {
  const masked = maskKey(apiKey, settings.keyPrefix());
  const store = await choose<() => Promise<Connection>>(
    vscode.l10n.t('Which connection does the key {0} belong to?', masked),
    [
      ...connections.all.current
        .filter(({ kind }) => kind === 'remote')
        .map((connection) => ({
          label: plainLine(connection.name, 80),
          description: plainLine(connection.baseUrl, 120),
          detail: vscode.l10n.t('The key takes the place of the one it has now.'),
          value: () => storeFor(connections, connection, apiKey),
        })),
      {
        icon: 'add',
        label: vscode.l10n.t('A New Connection…'),
        detail: vscode.l10n.t('Asks for the base URL of the service and a name.'),
        value: () => storeNew(connections, apiKey),
      },
    ],
  );
  return store();
}

/** Replaces each occurrence of the key in the current text with a placeholder. The document is left unsaved, so that the user can review it. */
export async function replaceInText(document: vscode.TextDocument, apiKey: string): Promise<void> {
  const text = document.getText();
  const edit = new vscode.WorkspaceEdit();
  for (const key of findKeys(text, settings.keyPrefix())) {
    if (text.slice(key.offset, key.offset + key.length) !== apiKey) continue;
    const replacement = placeholderFor(document.languageId, text, key);
    const range = new vscode.Range(
      document.positionAt(replacement.offset),
      document.positionAt(replacement.offset + replacement.length),
    );
    edit.replace(document.uri, range, replacement.text);
  }
  if (await vscode.workspace.applyEdit(edit)) return;
  throw new PlainError(
    vscode.l10n.t(
      'The key is in the secret storage now, but the text could not be changed: it still holds the key.',
    ),
  );
}
