import * as vscode from 'vscode';
import { ConnectionError } from '../../domain/errors.ts';
import type { Connection } from '../../domain/connection.ts';
import type { Connections } from '../../model/connections/connections.ts';
import { requireActiveConnection } from '../../ui/activeConnection.ts';
import { plainLine } from '../../editor/format.ts';
import { choose } from '../../editor/prompts.ts';

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

/** Throws a ConnectionError if the connection was removed. */
export function requireConnection(connections: Connections, connectionId: string): Connection {
  const connection = connections.find(connectionId);
  if (connection !== undefined) return connection;
  throw new ConnectionError({ kind: 'unknownConnection', connectionId });
}
