// Why: portal events as far as they can be read at one look: listed for code, chosen and opened by a person.
import * as vscode from 'vscode';
import type { PortalEventReading } from '../../api/readings.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { Clients } from '../../model/clients.ts';
import type { Connections } from '../../model/connections/connections.ts';
import { requireActiveConnection } from '../../pickers/activeConnection.ts';
import type { Commands } from '../../platform/commands.ts';
import { PlainError } from '../../platform/describeError.ts';
import { formatAge, plainLine } from '../../platform/format.ts';
import { choose } from '../../platform/prompts.ts';

export interface PortalEventsParts {
  readonly commands: Commands;
  readonly connections: Connections;
  readonly clients: Clients;
  readonly showText: (text: string, language: 'json') => Promise<void>;
}

async function openOne(
  events: readonly PortalEventReading[],
  showText: PortalEventsParts['showText'],
): Promise<void> {
  if (events.length === 0)
    throw new PlainError(vscode.l10n.t('The service has published no portal events yet.'));
  const event = await choose(
    vscode.l10n.t('Choose a portal event to open its payload'),
    events.map((value) => ({
      label: plainLine(value.type),
      description: value.timestamp === null ? '' : formatAge(value.timestamp, Date.now()),
      value,
    })),
  );
  await showText(`${JSON.stringify(event.data, null, 2)}\n`, 'json');
}

export function registerPortalEvents({
  commands,
  connections,
  clients,
  showText,
}: PortalEventsParts): Disposable {
  return commands.register('portalEvents.list', {
    decode: () => ({}),
    expects: '{}',
    ask: () => Promise.resolve({}),
    run: async (_query, { isInteractive }) => {
      const client = clients.get(requireActiveConnection(connections).id);
      const { items } = await client.portalEvents.list({ limit: 100 });
      if (isInteractive) await openOne(items, showText);
      return items.map(({ id, type, timestamp }) => ({
        id,
        type,
        timestamp: timestamp?.toISOString() ?? null,
      }));
    },
  });
}
