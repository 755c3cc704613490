// What the Portal Events view consists of: plain elements that carry their connection.
import type { TreeArgument } from '../../editor/commands.ts';
import type { PortalEvent } from '../../domain/portalEvent.ts';

export interface EventElement extends TreeArgument {
  readonly kind: 'event';
  readonly connectionId: string;
  /** The event's key. */
  readonly eventId: string;
  readonly event: PortalEvent;
}

/** "Load More…" below the events. */
export interface MoreElement extends TreeArgument {
  readonly kind: 'more';
}

/** A row that says why there is nothing. */
export interface NoteElement extends TreeArgument {
  readonly kind: 'note';
  readonly text: string;
}

export type PortalEventsElement = EventElement | MoreElement | NoteElement;
