// How a command gets its portal event: from the tree or from code as an object, from the palette by choosing.
import * as vscode from 'vscode';
import type { Clients } from '../../model/clients.ts';
import type { Connections } from '../../model/connections/connections.ts';
import type { PortalEvents } from '../../model/portalEvents/portalEvents.ts';
import type { Workflows } from '../../model/workflows/workflows.ts';
import { connectionIdOf, requireActiveConnection, textMember } from '../../pickers/activeConnection.ts';
import { workflowName } from '../../pickers/executionPicker.ts';
import type { CommandDefinition } from '../../platform/commands.ts';
import { PlainError } from '../../platform/describeError.ts';
import { formatAge, plainLine } from '../../platform/format.ts';
import { choose } from '../../platform/prompts.ts';
import { eventIcon } from './renderEvent.ts';
import type { PortalEvent } from '../../domain/portalEvent.ts';

export interface EventPickerParts {
  readonly connections: Connections;
  readonly clients: Clients;
  readonly workflows: Workflows;
  readonly portalEvents: PortalEvents;
}

export interface PickedEvent {
  readonly connectionId: string;
  readonly event: PortalEvent;
}

/** Lets a person choose one of the newest events of the active connection. */
export async function pickEvent(
  { connections, clients, workflows }: EventPickerParts,
  placeHolder: string,
): Promise<PickedEvent> {
  const connectionId = requireActiveConnection(connections).id;
  const page = clients.get(connectionId).portalEvents.list({ limit: 100 });
  const choices = page.then(({ items }) => {
    if (items.length === 0)
      throw new PlainError(vscode.l10n.t('The service has published no portal events yet.'));
    return items.map((event) => ({
      label: plainLine(event.type, 80),
      description: [
        event.timestamp === null ? '' : formatAge(event.timestamp, Date.now()),
        event.workflowId === null ? '' : workflowName(workflows, connectionId, event.workflowId),
      ]
        .filter((word) => word !== '')
        .join(' · '),
      iconPath: eventIcon(event.type),
      value: event,
    }));
  });
  return { connectionId, event: await choose(placeHolder, choices) };
}

/** Finds the event that {eventId, connectionId?} names. Throws a PlainError when it is gone. */
export async function readEvent({ portalEvents }: EventPickerParts, target: EventName): Promise<PickedEvent> {
  if ('event' in target) return target;
  const { connectionId, eventId } = target;
  const event = await portalEvents.read({ connectionId, key: eventId });
  if (event === undefined) throw new PlainError(vscode.l10n.t('The service no longer keeps this event.'));
  return { connectionId, event };
}

/** An event by its id, or as it was chosen. */
export type EventName = PickedEvent | { readonly connectionId: string; readonly eventId: string };

export function decodeEventName(
  value: Readonly<Record<string, unknown>>,
  connections: Connections,
): EventName | undefined {
  const eventId = textMember(value, 'eventId');
  return eventId === undefined ? undefined : { connectionId: connectionIdOf(value, connections), eventId };
}

/** The argument half of a command that acts on one event. */
export function eventArgument(
  parts: EventPickerParts,
): Pick<CommandDefinition<EventName, unknown>, 'decode' | 'expects' | 'ask'> {
  return {
    decode: (value) => decodeEventName(value, parts.connections),
    expects: '{eventId}',
    ask: () => pickEvent(parts, vscode.l10n.t('Choose a portal event')),
  };
}
