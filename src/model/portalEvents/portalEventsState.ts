import type { PortalEvent } from '../../domain/portalEvent.ts';
import type { PortalEventQuery } from '../../domain/queries.ts';
import type { ServiceError } from '../../domain/serviceError.ts';
import type { PagedListState } from '../list/pagedList.ts';
import type { ListeningState } from './listening.ts';

/** How many events are kept in memory: the newest. */
export const maximumEvents = 1000;

/** Which events are shown; null: any. */
export interface EventFilter {
  readonly type: string | null;
  readonly workflowId: string | null;
}

export const noEventFilter: EventFilter = { type: null, workflowId: null };

/** What is known of the portal events of the active connection. */
export interface PortalEventsState {
  readonly connectionId: string | null;
  /** All that were read or streamed, newest first. */
  readonly items: readonly PortalEvent[];
  /** Where the service's list goes on behind the last item; null at its end. */
  readonly nextCursor: string | null;
  /** Older events were let go of to stay within the maximum. */
  readonly isTrimmed: boolean;
  /** A list was read for this connection, be it empty. */
  readonly hasData: boolean;
  /** False: the service has no portal events. */
  readonly isOffered: boolean;
  /** Of the last read; null after a good one. */
  readonly error: ServiceError | null;
  /** The service no longer keeps what was known; lastKnownAt: when the newest of that was published. */
  readonly gap: { readonly lastKnownAt: Date | null } | null;
  readonly listening: ListeningState;
  /** How many are newer than the newest that was seen. */
  readonly unread: number;
  readonly filter: EventFilter;
  /** What the service found for the filter, beside the list of everything; null without a filter. */
  readonly filtered: PagedListState<PortalEvent> | null;
}

/** When events are listened for: while the view is visible, always, or only on a refresh. */
export type ListenMode = 'whenVisible' | 'always' | 'never';

/** An event of one connection. */
export interface PortalEventTarget {
  readonly connectionId: string;
  readonly key: string;
}

/** No connection, nothing read. */
export const unreadState: PortalEventsState = {
  connectionId: null,
  items: [],
  nextCursor: null,
  isTrimmed: false,
  hasData: false,
  isOffered: true,
  error: null,
  gap: null,
  listening: { kind: 'off' },
  unread: 0,
  filter: noEventFilter,
  filtered: null,
};

export function isFiltering({ type, workflowId }: EventFilter): boolean {
  return type !== null || workflowId !== null;
}

/** The filter as the service is asked for it. */
export function toEventQuery({ type, workflowId }: EventFilter): PortalEventQuery {
  return { ...(type === null ? {} : { type }), ...(workflowId === null ? {} : { workflowId }) };
}

export function passes(filter: EventFilter, event: PortalEvent): boolean {
  return (
    (filter.type === null || filter.type === event.type) &&
    (filter.workflowId === null || filter.workflowId === event.workflowId)
  );
}

type Filtered = Pick<PortalEventsState, 'items' | 'nextCursor' | 'filter' | 'filtered'>;

/** What is shown, newest first: everything, or all that was read and passes the filter. */
export function shownEvents({ items, filter, filtered }: Filtered): readonly PortalEvent[] {
  if (!isFiltering(filter)) return items;
  const loaded = items.filter((event) => passes(filter, event));
  const known = new Set(loaded.map(({ key }) => key));
  const found = filtered?.items.filter(({ key }) => !known.has(key)) ?? [];
  return sorted([...loaded, ...found]).slice(0, maximumEvents);
}

/** By time, newest first; as they are where an event tells no time. */
function sorted(events: readonly PortalEvent[]): readonly PortalEvent[] {
  const times = new Map(events.map(({ key, timestamp }) => [key, timestamp?.getTime()]));
  if ([...times.values()].includes(undefined)) return events;
  return events.toSorted((one, other) => (times.get(other.key) ?? 0) - (times.get(one.key) ?? 0));
}

/** Whether "more" reads further back in time. */
export function hasMore(state: Filtered): boolean {
  const nextCursor = isFiltering(state.filter) ? state.filtered?.nextCursor : state.nextCursor;
  return typeof nextCursor === 'string' && shownEvents(state).length < maximumEvents;
}
