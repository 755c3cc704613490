// How lists of portal events are put together: newest first, each event once, bounded; pure, so that tables can test it.
import type { PortalEvent } from '../../domain/portalEvent.ts';

/** How many events are kept in memory: the newest. */
export const maximumEvents = 1000;

export interface EventList {
  /** Newest first. */
  readonly items: readonly PortalEvent[];
  /** Where the service's list goes on behind the last item; null at its end. */
  readonly nextCursor: string | null;
  /** Older events were let go of to stay within the bound, so the list cannot go on from its end. */
  readonly isTrimmed: boolean;
}

export const emptyList: EventList = { items: [], nextCursor: null, isTrimmed: false };

/** One page as the service lists it; one that lists the oldest first is turned round. */
export function newestFirst(items: readonly PortalEvent[]): readonly PortalEvent[] {
  const first = items[0]?.timestamp;
  const last = items.at(-1)?.timestamp;
  return first && last && first < last ? items.toReversed() : items;
}

function bounded(list: EventList): EventList {
  if (list.items.length <= maximumEvents) return list;
  return { items: list.items.slice(0, maximumEvents), nextCursor: null, isTrimmed: true };
}

function isKnown({ items }: EventList, event: PortalEvent): boolean {
  return items.some(({ key }) => key === event.key);
}

/** With an event that just came; the list itself when it is known, or older than all that is kept. */
export function withNewest(list: EventList, event: PortalEvent): EventList {
  const oldest = list.items.at(-1);
  const isOld = list.isTrimmed && event.timestamp && oldest?.timestamp && event.timestamp < oldest.timestamp;
  if (isKnown(list, event) || isOld === true) return list;
  return bounded({ ...list, items: [event, ...list.items] });
}

/** With the next page behind the list. */
export function withOlder(
  list: EventList,
  page: readonly PortalEvent[],
  nextCursor: string | null,
): EventList {
  const older = page.filter((event) => !isKnown(list, event));
  return bounded({ ...list, items: [...list.items, ...older], nextCursor });
}

/** With the newest events as the service lists them; undefined when they do not reach back to what is known. */
export function withLatest(
  list: EventList,
  latest: readonly PortalEvent[],
  nextCursor: string | null,
): EventList | undefined {
  const listed = new Map(latest.map((event) => [event.key, event]));
  const meeting = list.items.findIndex(({ key }) => listed.has(key));
  if (meeting < 0) return undefined;
  // What is known stays the same object.
  for (const event of list.items) if (listed.has(event.key)) listed.set(event.key, event);
  const behind = list.items.slice(meeting).filter(({ key }) => !listed.has(key));
  const items = [...list.items.slice(0, meeting), ...listed.values(), ...behind];
  return bounded({ ...list, items, nextCursor: behind.length > 0 ? list.nextCursor : nextCursor });
}
