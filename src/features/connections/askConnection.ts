// Single questions about connections: which one, and its name.
import * as vscode from 'vscode';
import { plainLine } from '../../editor/format.ts';
import { askText, choose } from '../../editor/prompts.ts';
import { checkName } from '../../model/connections/connectionChecks.ts';
import type { Connections } from '../../model/connections/connections.ts';
import { requireActiveConnection } from '../../ui/activeConnection.ts';
import { problemOf } from '../../ui/words/describeError.ts';

/** Lets the user choose a connection. Throws a PlainError if there is none. */
export async function pickConnection(connections: Connections): Promise<string> {
  const active = requireActiveConnection(connections);
  return choose(
    vscode.l10n.t('Select a connection'),
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
