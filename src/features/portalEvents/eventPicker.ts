// Finds the portal event for a command: passed by the tree or by code, or else chosen by the user.
import * as vscode from 'vscode';
import { requireActiveConnection } from '../../ui/activeConnection.ts';
import { plainLine } from '../../editor/format.ts';
import { choose } from '../../editor/prompts.ts';
import { eventIcon } from './renderEvent.ts';
import type { PortalEvent } from '../../domain/portalEvent.ts';
import { PlainError } from '../../editor/plainError.ts';
import type { App } from '../../ui/app.ts';
import { workflowName } from '../../ui/words/names.ts';
import { formatAge } from '../../ui/words/time.ts';

export type EventPickerDeps = Pick<App, 'connections' | 'workflows' | 'portalEvents'>;

export interface PickedEvent {
  readonly connectionId: string;
  readonly event: PortalEvent;
}

/** Lets the user choose one of the newest events of the active connection. */
export async function pickEvent(
  { connections, portalEvents, workflows }: EventPickerDeps,
  placeHolder: string,
): Promise<PickedEvent> {
  const connectionId = requireActiveConnection(connections).id;
  const choices = portalEvents.newest(connectionId).then((items) => {
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

/** Returns the event, read by its id if necessary. Throws a PlainError if the service doesn't keep it. */
export async function readEvent({ portalEvents }: EventPickerDeps, target: EventName): Promise<PickedEvent> {
  if ('event' in target) return target;
  const { connectionId, eventId } = target;
  const event = await portalEvents.read({ connectionId, key: eventId });
  if (event === undefined) throw new PlainError(vscode.l10n.t('The service no longer keeps this event.'));
  return { connectionId, event };
}

/** An event by its id, or as it was chosen. */
export type EventName = PickedEvent | { readonly connectionId: string; readonly eventId: string };
