// What is known of the portal events of the active connection, as one value.
import type { ServiceError } from '../../domain/serviceError.ts';
import { type EventFilter, noEventFilter } from './eventFilter.ts';
import { emptyList, type EventList } from './eventList.ts';
import type { FilteredEvents } from './filteredEvents.ts';
import type { ListeningState } from './listening.ts';

export interface PortalEventsState extends EventList {
  readonly connectionId: string | null;
  /** A list was read for this connection, be it empty. */
  readonly hasData: boolean;
  /** False: the service has no portal events. */
  readonly isOffered: boolean;
  /** Of the last read; null after a good one. */
  readonly error: ServiceError | null;
  /** The service no longer keeps what was known; lastKnownAt: when the newest of that was published. */
  readonly gap: { readonly lastKnownAt: Date | null } | null;
  readonly listening: ListeningState;
  /** How many came while nobody looked. */
  readonly unread: number;
  readonly filter: EventFilter;
  /** null: there is no filter. */
  readonly filtered: FilteredEvents | null;
}

/** When events are listened for: while the view is visible, always, or only when somebody refreshes. */
export type ListenMode = 'whenVisible' | 'always' | 'never';

/** An event of one connection. */
export interface PortalEventTarget {
  readonly connectionId: string;
  readonly key: string;
}

/** No connection, nothing read. */
export const unreadState: PortalEventsState = {
  ...emptyList,
  connectionId: null,
  filter: noEventFilter,
  filtered: null,
  hasData: false,
  isOffered: true,
  error: null,
  gap: null,
  listening: { kind: 'off' },
  unread: 0,
};
