import type { PortalEvent } from '../../domain/portalEvent.ts';
import type { RowElement } from '../../editor/treeElements.ts';

export interface EventElement extends RowElement {
  readonly kind: 'event';
  readonly connectionId: string;
  /** The event's key. */
  readonly eventId: string;
  readonly event: PortalEvent;
}

export function eventElement(connectionId: string, event: PortalEvent): EventElement {
  const key = `${connectionId}/${event.key}`;
  return { invokedBy: 'person', kind: 'event', key, connectionId, eventId: event.key, event };
}
