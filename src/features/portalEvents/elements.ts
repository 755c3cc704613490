// What the Portal Events view consists of: plain elements that carry their connection.
import type { PersonsArgument } from '../../editor/commands.ts';
import type { PortalEvent } from '../../domain/portalEvent.ts';

export interface EventElement extends PersonsArgument {
  readonly kind: 'event';
  readonly connectionId: string;
  /** The event's key. */
  readonly eventId: string;
  readonly event: PortalEvent;
}

/** "Load More…" below the events. */
export interface MoreElement extends PersonsArgument {
  readonly kind: 'more';
}

/** A row that says why there is nothing. */
export interface NoteElement extends PersonsArgument {
  readonly kind: 'note';
  readonly text: string;
}

export type PortalEventsElement = EventElement | MoreElement | NoteElement;
