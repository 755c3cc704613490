import type { PortalEvent } from '../../domain/portalEvent.ts';
import type { PortalEventQuery } from '../../domain/queries.ts';
import type { ServiceError } from '../../domain/errors.ts';
import type { PagedListState } from '../list/pagedList.ts';

/** The maximum number of events of nodes in memory, and of all others; the newest are kept. */
export const maximumEvents = 1000;

/** The events to show; null: any. */
export interface EventFilter {
  readonly type: string | null;
  readonly workflowId: string | null;
  /** Shows what nodes do too. An execution has many such events, so they'd hide what workflows send to other apps. */
  readonly hasNodeEvents: boolean;
}

export const noEventFilter: EventFilter = { type: null, workflowId: null, hasNodeEvents: false };
/** Lets every event pass. */
export const everyEvent: EventFilter = { ...noEventFilter, hasNodeEvents: true };

/** True for an event that says what a node did, as opposed to an execution or a workflow. */
export function isNodeEvent({ type }: Pick<PortalEvent, 'type'>): boolean {
  return type.startsWith('node.');
}

/** Times are epoch milliseconds. */
export type ListeningState =
  | { readonly kind: 'off' }
  | { readonly kind: 'connecting' }
  | { readonly kind: 'live'; readonly by: 'stream' | 'polling' }
  | { readonly kind: 'lost'; readonly retryAt: number; readonly error: Error }
  | { readonly kind: 'pausedByLimit'; readonly resumeAt: number };

/** The state of the active connection's portal events. */
export interface PortalEventsState {
  readonly connectionId: string | null;
  /** All events that were read or streamed, newest first. */
  readonly items: readonly PortalEvent[];
  /** The cursor after the last item; null at the end of the service's list. */
  readonly nextCursor: string | null;
  /** Older events, other than those of nodes, were dropped because of the maximum. */
  readonly isTrimmed: boolean;
  /** Older events of nodes were dropped because of the maximum. */
  readonly isTrimmedOfNodes: boolean;
  /** True after a list was read for this connection, even an empty one. */
  readonly hasData: boolean;
  /** False: the service has no portal events. */
  readonly isOffered: boolean;
  /** The error of the last read; null after a successful one. */
  readonly error: ServiceError | null;
  /** Set when the service doesn't keep the known events any more. `lastKnownAt`: when the newest of them was published. */
  readonly gap: { readonly lastKnownAt: Date | null } | null;
  readonly listening: ListeningState;
  /** The number of events that are newer than the newest seen one, without those of nodes. */
  readonly unread: number;
  readonly filter: EventFilter;
  /** The service's results for the filter, in addition to the list of all events; null without a filter. */
  readonly filtered: PagedListState<PortalEvent> | null;
}

/** When to listen for events: while the view is visible, always, or never, which leaves only refreshes. */
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
  isTrimmedOfNodes: false,
  hasData: false,
  isOffered: true,
  error: null,
  gap: null,
  listening: { kind: 'off' },
  unread: 0,
  filter: noEventFilter,
  filtered: null,
};

/** True when the service is asked for fewer events. */
export function isFiltering({ type, workflowId }: EventFilter): boolean {
  return type !== null || workflowId !== null;
}

/** Returns the filter as a query to the service. */
export function toEventQuery({ type, workflowId }: EventFilter): PortalEventQuery {
  return { ...(type === null ? {} : { type }), ...(workflowId === null ? {} : { workflowId }) };
}

export function passes(filter: EventFilter, event: PortalEvent): boolean {
  const isType =
    filter.type === null ? filter.hasNodeEvents || !isNodeEvent(event) : filter.type === event.type;
  return isType && (filter.workflowId === null || filter.workflowId === event.workflowId);
}

type Filtered = Pick<PortalEventsState, 'items' | 'nextCursor' | 'filter' | 'filtered'>;

/** Returns the read events that pass the filter, newest first. */
export function shownEvents({ items, filter, filtered }: Filtered): readonly PortalEvent[] {
  const loaded = items.filter((event) => passes(filter, event));
  if (!isFiltering(filter)) return loaded;
  const known = new Set(loaded.map(({ key }) => key));
  const found = filtered?.items.filter(({ key }) => !known.has(key)) ?? [];
  return sorted([...loaded, ...found]).slice(0, maximumEvents);
}

/** Sorts by time, newest first; keeps the order if any event has no time. */
function sorted(events: readonly PortalEvent[]): readonly PortalEvent[] {
  const times = new Map(events.map(({ key, timestamp }) => [key, timestamp?.getTime()]));
  if ([...times.values()].includes(undefined)) return events;
  return events.toSorted((one, other) => (times.get(other.key) ?? 0) - (times.get(one.key) ?? 0));
}

/** True if loading more reads older events. */
export function hasMore(state: Filtered): boolean {
  return goesOn(state) && shownEvents(state).length < maximumEvents;
}

/** True if the service has older events, for which there is no room. */
export function isFull(state: Filtered): boolean {
  return goesOn(state) && shownEvents(state).length >= maximumEvents;
}

function goesOn({ filter, filtered, nextCursor }: Filtered): boolean {
  return (isFiltering(filter) ? (filtered?.nextCursor ?? null) : nextCursor) !== null;
}
