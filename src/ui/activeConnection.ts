import * as vscode from 'vscode';
import { plainLine } from '../base/format.ts';
import type { Connection } from '../domain/connection.ts';
import type { Connections } from '../model/connections/connections.ts';
import { PlainError } from '../editor/plainError.ts';
import { choose } from '../editor/prompts/prompts.ts';

/** Returns the active connection. Throws a PlainError that offers to add one. */
export function requireActiveConnection(connections: Connections): Connection {
  const active = connections.active.current;
  if (active !== null) return active;
  throw new PlainError(vscode.l10n.t("There's no connection yet."), [
    { label: vscode.l10n.t('Try the Local Service'), command: 'localService.start' },
    { label: vscode.l10n.t('Connect to a Service…'), command: 'connection.add' },
  ]);
}

/** Lets the user choose one of these connections; the active one is marked. Rejects with Cancelled on Escape. */
export function chooseConnection(
  { active }: Pick<Connections, 'active'>,
  title: string,
  offered: readonly Connection[],
): Promise<Connection> {
  return choose(
    title,
    offered.map((connection) => ({
      label: plainLine(connection.name),
      description: connection.id === active.current?.id ? vscode.l10n.t('active') : '',
      detail: plainLine(connection.baseUrl),
      value: connection,
    })),
  );
}
