// A filter reaches the events that were not loaded: the service is asked, and its answer is held to the filter here as well.
import type { ServiceError } from '../../domain/serviceError.ts';
import type { PageReader } from '../list/pages.ts';
import { type EventFilter, isFiltering, passes } from './eventFilter.ts';
import { emptyList, type EventList, maximumEvents, newestFirst, withOlder } from './eventList.ts';
import type { PortalEvent } from '../../domain/portalEvent.ts';

/** What the service answered for the filter; beside the list of everything, which goes on whatever the filter. */
export interface FilteredEvents extends EventList {
  readonly isBusy: boolean;
  /** Of the last read; null after a good one. */
  readonly error: ServiceError | null;
}

export const unreadFiltered: FilteredEvents = { ...emptyList, isBusy: false, error: null };

export const eventPageSize = 100;
/** A service that does not heed the filter is read on through this many pages before it asks whether to go on. */
const maximumPagesAtOnce = 5;

/** Reads behind the list until something passes. */
export async function readPassing(
  readPage: PageReader<PortalEvent>,
  filter: EventFilter,
  list: EventList,
): Promise<EventList> {
  let result = list;
  let cursor = list.nextCursor ?? undefined;
  for (let pages = 0; pages < maximumPagesAtOnce; pages += 1) {
    const { items, nextCursor } = await readPage(cursor, eventPageSize);
    const isEnd = nextCursor === null || nextCursor === cursor || items.length === 0;
    const passing = newestFirst(items).filter((event) => passes(filter, event));
    result = withOlder(result, passing, isEnd ? null : nextCursor);
    if (isEnd || passing.length > 0) break;
    cursor = nextCursor;
  }
  return result;
}

export interface Narrowed {
  readonly items: readonly PortalEvent[];
  readonly nextCursor: string | null;
  readonly filter: EventFilter;
  readonly filtered: FilteredEvents | null;
}

/** What is shown, newest first: all, or what passes the filter of all that was read. */
export function shownEvents({ items, filter, filtered }: Narrowed): readonly PortalEvent[] {
  if (!isFiltering(filter)) return items;
  const loaded = items.filter((event) => passes(filter, event));
  const known = new Set(loaded.map(({ key }) => key));
  const answered = filtered?.items.filter(({ key }) => !known.has(key)) ?? [];
  return sorted([...loaded, ...answered]).slice(0, maximumEvents);
}

/** As they are where one does not say when it was. */
function sorted(events: readonly PortalEvent[]): readonly PortalEvent[] {
  const times = new Map(events.map(({ key, timestamp }) => [key, timestamp?.getTime()]));
  if ([...times.values()].includes(undefined)) return events;
  return events.toSorted((one, other) => (times.get(other.key) ?? 0) - (times.get(one.key) ?? 0));
}

/** Whether "more" would read further back in time. */
export function hasMore(state: Narrowed): boolean {
  const { nextCursor } = isFiltering(state.filter) ? (state.filtered ?? unreadFiltered) : state;
  return nextCursor !== null && shownEvents(state).length < maximumEvents;
}
