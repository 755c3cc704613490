// Holds the portal events of one connection at a time, reads them, and knows which were seen.
import type { Disposable } from '../../base/disposable.ts';
import { type Observable, ObservableValue } from '../../base/observable.ts';
import { isServiceError } from '../../domain/serviceError.ts';
import { callOptions } from '../callOptions.ts';
import type { Clients } from '../clients.ts';
import type { PageReader } from '../list/pages.ts';
import { type EventFilter, isFiltering, noEventFilter, toEventQuery } from './eventFilter.ts';
import { emptyList, type EventList, maximumEvents, newestFirst, withNewest, withOlder } from './eventList.ts';
import { eventPageSize, type FilteredEvents, readPassing, unreadFiltered } from './filteredEvents.ts';
import { readLatest } from './latestEvents.ts';
import { type PortalEventsState, type PortalEventTarget, unreadState } from './portalEventsState.ts';
import { countUnread, type SeenEvents } from './seenEvents.ts';
import type { Purpose } from '../../domain/budget.ts';
import type { PortalEvent } from '../../domain/portalEvent.ts';

export class EventStore implements Disposable {
  readonly #clients: Clients;
  readonly #seen: SeenEvents;
  readonly #state = new ObservableValue(unreadState);
  #isLookedAt = false;
  /** Of the reading for the filter under way. */
  #narrowing = new AbortController();

  /** seen: owned by the store from now on. */
  constructor(clients: Clients, seen: SeenEvents) {
    this.#clients = clients;
    this.#seen = seen;
  }

  get state(): Observable<PortalEventsState> {
    return this.#state;
  }

  /** What is looked at is seen. */
  setLookedAt(isLookedAt: boolean): void {
    this.#isLookedAt = isLookedAt;
    this.show({});
  }

  /** Forgets everything; the filter stays for the same connection. */
  reset(connectionId: string | null): void {
    const { current } = this.#state;
    const filter = current.connectionId === connectionId ? current.filter : noEventFilter;
    this.#narrowing.abort();
    this.#state.set({ ...unreadState, connectionId, filter, filtered: startOf(filter) });
  }

  /** Narrows what is shown and asks the service for it; what is listed of everything stays as it is. Failures become state; rejects only when cancelled. */
  async setFilter(filter: EventFilter, signal?: AbortSignal): Promise<void> {
    this.#narrowing.abort();
    this.show({ filter, filtered: startOf(filter) });
    // Else the first reading of the list asks for both.
    if (this.#state.current.hasData) await this.#narrow(emptyList, signal);
  }

  show(change: Partial<PortalEventsState>): void {
    const next = { ...this.#state.current, ...change };
    const { connectionId, hasData, isOffered, items } = next;
    if (connectionId === null) return;
    if (hasData && isOffered && this.#isLookedAt) this.#seen.mark(connectionId, items[0]);
    this.#state.set({ ...next, unread: countUnread(items, this.#seen.get(connectionId)) });
  }

  add(event: PortalEvent): void {
    const { current } = this.#state;
    const next = withNewest(current, event);
    if (next !== current) this.show(next);
  }

  markAllRead(): void {
    const { connectionId, hasData, items } = this.#state.current;
    if (connectionId !== null && hasData) this.#seen.mark(connectionId, items[0]);
    this.show({});
  }

  /** Reads what is new; true when there was something. isPruned: the position was refused. Rejects with a ServiceError. */
  async catchUp(isPruned: boolean, signal: AbortSignal): Promise<boolean> {
    const { current } = this.#state;
    if (current.connectionId === null) return false;
    const pages = this.#pages(current.connectionId, signal, 'portalEvents');
    // The list alone: a filter that is set while this reads must not be taken back by it.
    const { items, nextCursor, isTrimmed } = current;
    const { list, isGap, isAnew } = await readLatest(pages, { items, nextCursor, isTrimmed }, isPruned);
    signal.throwIfAborted();
    const lastKnownAt = current.items[0]?.timestamp ?? null;
    this.#take({ ...list, ...(isGap ? { gap: { lastKnownAt } } : {}) });
    // Between the list and what the filter was answered something may be missing.
    if (isAnew && list.items.length > 0) await this.#narrow(emptyList, signal);
    return list.items[0]?.key !== current.items[0]?.key;
  }

  /** Reads the newest anew, whatever is known. Rejects with a ServiceError. */
  async readAnew(signal: AbortSignal): Promise<void> {
    const { connectionId } = this.#state.current;
    if (connectionId === null) return;
    const { list } = await readLatest(this.#pages(connectionId, signal), emptyList, false);
    signal.throwIfAborted();
    this.#take({ ...list, gap: null });
    await this.#narrow(emptyList, signal);
  }

  /** Reads the next page back in time, of what the filter lets through. Rejects with a ServiceError; with a filter it becomes state. */
  async loadMore(signal?: AbortSignal): Promise<void> {
    const { connectionId, nextCursor, items, filtered } = this.#state.current;
    if (filtered !== null) {
      if (filtered.nextCursor !== null) await this.#narrow(filtered, signal);
      return;
    }
    if (connectionId === null || nextCursor === null) return;
    const size = Math.min(eventPageSize, maximumEvents - items.length);
    const page = await this.#pages(connectionId, signal)(nextCursor, size);
    // A list that was read anew goes on from another place.
    const { current } = this.#state;
    if (current.connectionId !== connectionId || current.nextCursor !== nextCursor) return;
    const next = page.items.length === 0 || page.nextCursor === nextCursor ? null : page.nextCursor;
    this.show(withOlder(current, newestFirst(page.items), next));
  }

  /** From memory, else from the newest that the service lists; undefined when neither has it. */
  async read(target: PortalEventTarget, signal?: AbortSignal): Promise<PortalEvent | undefined> {
    const { connectionId, key } = target;
    const { current } = this.#state;
    const known = [...current.items, ...(current.filtered?.items ?? [])].find((event) => event.key === key);
    if (known && current.connectionId === connectionId) return known;
    const { items } = await this.#pages(connectionId, signal)(undefined, eventPageSize);
    return items.find((event) => event.key === key);
  }

  dispose(): void {
    this.#narrowing.abort();
    this.#seen.dispose();
    this.#state.dispose();
  }

  #take(change: Partial<PortalEventsState>): void {
    const { connectionId } = this.#state.current;
    if (connectionId !== null && this.#seen.get(connectionId) === undefined)
      this.#seen.mark(connectionId, change.items?.[0]);
    this.show({ ...change, hasData: true, isOffered: true, error: null });
  }

  /** Asks for what the filter lets through, from the start or behind a list. A later call makes this one void. */
  async #narrow({ items, nextCursor, isTrimmed }: EventList, signal?: AbortSignal): Promise<void> {
    const { connectionId, filter, filtered } = this.#state.current;
    if (connectionId === null || filtered === null) return;
    this.#narrowing.abort();
    const run = (this.#narrowing = new AbortController());
    const either = signal ? AbortSignal.any([signal, run.signal]) : run.signal;
    const settle = (change: Partial<FilteredEvents>): void => {
      if (!run.signal.aborted) this.show({ filtered: { ...filtered, isBusy: false, ...change } });
    };
    settle({ isBusy: true });
    try {
      const pages = this.#pages(connectionId, either, 'asked', filter);
      const list = await readPassing(pages, filter, { items, nextCursor, isTrimmed });
      settle({ ...list, error: null });
    } catch (error) {
      settle(isServiceError(error) ? { error } : {});
      if (!isServiceError(error) && !run.signal.aborted) throw error;
    }
  }

  #pages(
    connectionId: string,
    signal: AbortSignal | undefined,
    purpose: Purpose = 'asked',
    filter: EventFilter = noEventFilter,
  ): PageReader<PortalEvent> {
    const { portalEvents } = this.#clients.get(connectionId);
    const options = callOptions(signal, purpose);
    return (cursor, limit) =>
      portalEvents.list(
        { ...toEventQuery(filter), limit, ...(cursor === undefined ? {} : { cursor }) },
        options,
      );
  }
}

function startOf(filter: EventFilter): FilteredEvents | null {
  return isFiltering(filter) ? unreadFiltered : null;
}
