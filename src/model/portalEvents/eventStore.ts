import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { type Observable, ObservableValue } from '../../base/event.ts';
import type { PortalEvent } from '../../domain/portalEvent.ts';
import type { CallOptions } from '../../domain/queries.ts';
import type { Clients } from '../connections/clients.ts';
import { PagedList, type PagedListState } from '../list/pagedList.ts';
import { type ReadPage, untrimmed } from '../list/pages.ts';
import {
  type EventFilter,
  everyEvent,
  isFiltering,
  isNodeEvent,
  maximumEvents,
  noEventFilter,
  passes,
  type PortalEventsState,
  type PortalEventTarget,
  toEventQuery,
  unreadState,
} from './portalEventsState.ts';
import { countUnread, type SeenEvents } from './seenEvents.ts';

const pageSize = 100;

/** Returns one page with the newest event first, even if the service lists the oldest first. */
function newestFirst(items: readonly PortalEvent[]): readonly PortalEvent[] {
  const first = items[0]?.timestamp;
  const last = items.at(-1)?.timestamp;
  return first && last && first < last ? items.toReversed() : items;
}

/** The newest event that counts as unread until it's seen. Those of nodes are dropped soon. */
function newestToSee(items: readonly PortalEvent[]): PortalEvent | undefined {
  return items.find((event) => !isNodeEvent(event)) ?? items[0];
}

/** Holds the portal events of one connection at a time: a list of all events, and a list of the service's results for the filter. */
export class EventStore implements Disposable {
  readonly #clients: Pick<Clients, 'get'>;
  readonly #seen: SeenEvents;
  readonly #owned = new DisposableStore();
  readonly #state = this.#owned.add(new ObservableValue(unreadState));
  #all: PagedList<PortalEvent> | null = null;
  #filtered: PagedList<PortalEvent> | null = null;
  #isLookedAt = false;

  /** `seen`: owned by the store. */
  constructor(clients: Pick<Clients, 'get'>, seen: SeenEvents) {
    this.#clients = clients;
    this.#seen = this.#owned.add(seen);
  }

  get state(): Observable<PortalEventsState> {
    return this.#state;
  }

  /** While the view is looked at, its events count as seen. */
  setLookedAt(isLookedAt: boolean): void {
    this.#isLookedAt = isLookedAt;
    this.show({});
  }

  /** Drops all events. The filter stays if the connection is the same. */
  reset(connectionId: string | null): void {
    const { current } = this.#state;
    const filter = current.connectionId === connectionId ? current.filter : noEventFilter;
    this.#openAll(connectionId);
    this.#openFiltered(connectionId, filter);
    const filtered = this.#filtered?.state.current ?? null;
    this.#state.set({ ...unreadState, connectionId, filter, filtered });
  }

  /** Drops all events, because the service has no portal events. */
  close(): void {
    this.#all?.reset();
    this.show({ listening: { kind: 'off' }, hasData: true, isOffered: false, error: null });
  }

  /**
   * Shows only events that pass the filter, and requests them from the service. The list of all events doesn't change. Failures become
   * state.
   */
  async setFilter(filter: EventFilter): Promise<void> {
    const { connectionId, hasData } = this.#state.current;
    this.#openFiltered(connectionId, filter);
    this.show({ filter });
    // Otherwise the first read of the list reads both.
    if (hasData) await this.#filtered?.refresh();
  }

  show(change: Partial<PortalEventsState>): void {
    const next = { ...this.#state.current, ...change };
    const { connectionId, hasData, isOffered, items } = next;
    if (connectionId === null) return;
    const isUnmarked = this.#seen.get(connectionId) === undefined;
    if (hasData && isOffered && (isUnmarked || this.#isLookedAt))
      this.#seen.mark(connectionId, newestToSee(items));
    this.#state.set({
      ...next,
      filtered: this.#filtered?.state.current ?? null,
      unread: countUnread(items, this.#seen.get(connectionId)),
    });
  }

  /** Adds a newly published event at the front. An event older than all kept ones of its kind is dropped. */
  add(event: PortalEvent): void {
    const { items, isTrimmed, isTrimmedOfNodes } = this.#state.current;
    const isOfNode = isNodeEvent(event);
    const oldest = items.findLast((each) => isNodeEvent(each) === isOfNode)?.timestamp;
    const isTruncated = isOfNode ? isTrimmedOfNodes : isTrimmed;
    const isOld = isTruncated && event.timestamp && oldest && event.timestamp < oldest;
    if (isOld !== true) this.#all?.put(event, true);
  }

  markAllRead(): void {
    const { connectionId, hasData, items } = this.#state.current;
    if (connectionId !== null && hasData) this.#seen.mark(connectionId, newestToSee(items));
    this.show({});
  }

  /** Reads new events; returns true if there were any. `isPruned`: the service rejected the position. Rejects with a ServiceError. */
  async catchUp(isPruned: boolean, signal: AbortSignal): Promise<boolean> {
    const list = this.#all;
    if (list === null) return false;
    const options = { signal, purpose: 'portalEvents' } as const;
    const before = list.state.current.items;
    await settled(list, isPruned ? list.refresh(options) : list.refreshHead(options), signal);
    const { items, nextCursor } = list.state.current;
    const known = new Set(before);
    const isAnew = !items.some((event) => known.has(event));
    // The service lists everything that it keeps, and none of it was known.
    if (isAnew && before.length > 0 && (isPruned || nextCursor === null))
      this.show({ gap: { lastKnownAt: before[0]?.timestamp ?? null } });
    // Events may be missing between the list and the results for the filter.
    if (isAnew && items.length > 0) await this.#filtered?.refresh({ signal });
    return items[0] !== before[0];
  }

  /** Reads the newest events from scratch. Rejects with a ServiceError. */
  async readAnew(signal: AbortSignal): Promise<void> {
    const list = this.#all;
    if (list === null) return;
    await settled(list, list.refresh({ signal }), signal);
    this.show({ gap: null });
    await this.#filtered?.refresh({ signal });
  }

  /** Reads the next older page of the events that pass the filter. Rejects with a ServiceError; with a filter, failures become state. */
  async loadMore(): Promise<void> {
    if (this.#filtered !== null) await this.#filtered.loadMore();
    else if (this.#all !== null && this.#state.current.nextCursor !== null)
      await settled(this.#all, this.#all.loadMore());
  }

  /** Returns the event from memory, or else from the newest events of the service; undefined when neither has it. */
  async read(
    { connectionId, key }: PortalEventTarget,
    signal?: AbortSignal,
  ): Promise<PortalEvent | undefined> {
    const known = this.#all?.find(key) ?? this.#filtered?.find(key);
    if (known !== undefined && this.#state.current.connectionId === connectionId) return known;
    const readPage = this.#pageReader(connectionId, everyEvent, { signal });
    const { items } = await readPage(undefined, pageSize);
    return items.find((event) => event.key === key);
  }

  dispose(): void {
    this.#openAll(null);
    this.#openFiltered(null, noEventFilter);
    this.#owned.dispose();
  }

  #openAll(connectionId: string | null): void {
    this.#all?.dispose();
    this.#all = connectionId === null ? null : this.#createList(connectionId, everyEvent);
    this.#all?.state.onDidChange((state) => this.#showAll(state));
  }

  #openFiltered(connectionId: string | null, filter: EventFilter): void {
    this.#filtered?.dispose();
    const isWanted = connectionId !== null && isFiltering(filter);
    this.#filtered = isWanted ? this.#createList(connectionId, filter) : null;
    this.#filtered?.state.onDidChange(() => this.show({}));
  }

  #createList(connectionId: string, filter: EventFilter): PagedList<PortalEvent> {
    return new PagedList<PortalEvent>({
      keyOf: ({ key }) => key,
      pageSize,
      isAppendOnly: true,
      maximumItems: maximumEvents,
      accepts: (event) => passes(filter, event),
      // A page may have nothing but events of nodes.
      matchesSearch: (event) => passes({ ...filter, hasNodeEvents: false }, event),
      readPage: (options) => this.#pageReader(connectionId, filter, options),
    });
  }

  #showAll({ status, items, nextCursor }: PagedListState<PortalEvent>): void {
    const { current } = this.#state;
    const isLoaded = status === 'loaded';
    if (!isLoaded && items === current.items && nextCursor === current.nextCursor) return;
    const read = isLoaded ? { hasData: true, isOffered: true, error: null } : {};
    const { sought: isTrimmed, others: isTrimmedOfNodes } = this.#all?.trimmed ?? untrimmed;
    this.show({ items, nextCursor, isTrimmed, isTrimmedOfNodes, ...read });
  }

  #pageReader(connectionId: string, filter: EventFilter, options: CallOptions): ReadPage<PortalEvent> {
    return async (cursor, limit) => {
      const { portalEvents } = this.#clients.get(connectionId);
      const query = { ...toEventQuery(filter), limit, ...(cursor === undefined ? {} : { cursor }) };
      const page = await portalEvents.list(query, options);
      return { ...page, items: newestFirst(page.items) };
    };
  }
}

/** Waits for a read of a list, and rejects with its error, which the list itself turns into state. */
async function settled(
  list: PagedList<PortalEvent>,
  reading: Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  await reading;
  signal?.throwIfAborted();
  const { status, error } = list.state.current;
  if (status === 'failed' && error !== null) throw error;
}
