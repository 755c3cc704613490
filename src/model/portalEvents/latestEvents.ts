// Finds what came since the events that are known, whatever a service says of positions: by reading back until the two meet.
import type { PageReader } from '../list/pages.ts';
import { emptyList, type EventList, newestFirst, withLatest, withOlder } from './eventList.ts';
import { eventPageSize } from './filteredEvents.ts';
import type { PortalEvent } from '../../domain/portalEvent.ts';

/** Most often little is new. */
const firstPageSize = 25;
const maximumPages = 10;

export interface Latest {
  readonly list: EventList;
  /** What is known is no longer kept by the service, so events in between may be lost. */
  readonly isGap: boolean;
  /** Nothing of what is known is in it: it began anew. */
  readonly isAnew: boolean;
}

/** Reads the newest events and joins them to the list. isPruned: the service said that what is known is gone. */
export async function readLatest(
  readPage: PageReader<PortalEvent>,
  list: EventList,
  isPruned: boolean,
): Promise<Latest> {
  const isFirst = list.items.length === 0;
  const latest: PortalEvent[] = [];
  let cursor: string | undefined;
  for (let pages = 1; ; pages += 1) {
    const size = isFirst || isPruned || pages > 1 ? eventPageSize : firstPageSize;
    const { items, nextCursor } = await readPage(cursor, size);
    latest.push(...newestFirst(items));
    const joined = isFirst ? undefined : withLatest(list, latest, nextCursor);
    if (joined) return { list: joined, isGap: false, isAnew: false };
    const isEnd = nextCursor === null || nextCursor === cursor || items.length === 0;
    if (isFirst || isPruned || isEnd || pages === maximumPages) {
      const rest = isEnd ? null : nextCursor;
      const isGap = !isFirst && (isPruned || isEnd);
      return { list: withOlder(emptyList, latest, rest), isGap, isAnew: true };
    }
    cursor = nextCursor;
  }
}
