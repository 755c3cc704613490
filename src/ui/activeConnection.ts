import * as vscode from 'vscode';
import type { Connection } from '../domain/connection.ts';
import type { Connections } from '../model/connections/connections.ts';
import { PlainError } from '../editor/plainError.ts';

/** Returns the active connection. Throws a PlainError that offers to add one. */
export function requireActiveConnection(connections: Connections): Connection {
  const active = connections.active.current;
  if (active !== null) return active;
  throw new PlainError(vscode.l10n.t("There's no connection yet."), [
    { label: vscode.l10n.t('Try the Local Service'), command: 'localService.start' },
    { label: vscode.l10n.t('Connect to a Service…'), command: 'connection.add' },
  ]);
}
