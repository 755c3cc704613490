// How a command gets its connection: from the tree or from code as an object, from the palette by choosing.
import * as vscode from 'vscode';
import { ConnectionError } from '../../domain/connectionError.ts';
import type { Connection } from '../../domain/connection.ts';
import type { Connections } from '../../model/connections/connections.ts';
import { requireActiveConnection, textMember } from '../../ui/activeConnection.ts';
import { type CommandDefinition, isInvokedByPerson } from '../../editor/commands.ts';
import { plainLine } from '../../editor/format.ts';
import { choose } from '../../editor/prompts.ts';

export interface ConnectionArgument {
  readonly connectionId: string;
  /** What else the object held; nothing from a person. */
  readonly members: Readonly<Record<string, unknown>>;
}

/** asks: "all" offers every connection; "active" takes the active one without asking. */
export function connectionArgument(
  connections: Connections,
  asks: 'all' | 'active',
): Pick<CommandDefinition<ConnectionArgument, unknown>, 'decode' | 'expects' | 'ask'> {
  return {
    decode: (value) => {
      // Rows of workflows and executions name their connection as well, but are not it.
      if (isInvokedByPerson(value) && value['kind'] !== 'connection') return undefined;
      const connectionId = textMember(value, 'connectionId');
      return connectionId === undefined ? undefined : { connectionId, members: value };
    },
    expects: '{connectionId}',
    ask: async () => {
      const active = requireActiveConnection(connections);
      if (asks === 'active') return { connectionId: active.id, members: {} };
      const choices = connections.all.current.map((connection) => ({
        label: plainLine(connection.name),
        description: connection.id === active.id ? vscode.l10n.t('active') : '',
        detail: plainLine(connection.baseUrl),
        value: connection.id,
      }));
      return { connectionId: await choose(vscode.l10n.t('Choose a connection'), choices), members: {} };
    },
  };
}

/** Throws a ConnectionError for one that was removed meanwhile. */
export function requireConnection(connections: Connections, connectionId: string): Connection {
  const connection = connections.find(connectionId);
  if (connection !== undefined) return connection;
  throw new ConnectionError({ kind: 'unknownConnection', connectionId });
}
