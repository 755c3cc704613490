// Why: holds the portal events of one connection at a time, reads them, and knows which were seen.
import type { Priority } from '../../api/client.ts';
import type { PortalEventReading } from '../../api/readings.ts';
import type { Disposable } from '../../base/disposable.ts';
import { ObservableValue } from '../../base/observable.ts';
import type { Observable } from '../../base/observable.ts';
import { callOptions } from '../callOptions.ts';
import type { Clients } from '../clients.ts';
import type { PageReader } from '../pages.ts';
import { noEventFilter } from './eventFilter.ts';
import { emptyList, maximumEvents, newestFirst, withNewest, withOlder } from './eventList.ts';
import { eventPageSize, readLatest } from './latestEvents.ts';
import { unreadState } from './portalEventsState.ts';
import type { PortalEventsState, PortalEventTarget } from './portalEventsState.ts';
import { countUnread } from './seenEvents.ts';
import type { SeenEvents } from './seenEvents.ts';

export class EventStore implements Disposable {
  readonly #clients: Clients;
  readonly #seen: SeenEvents;
  readonly #state = new ObservableValue(unreadState);
  #isLookedAt = false;

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
    this.#state.set({ ...unreadState, connectionId, filter });
  }

  show(change: Partial<PortalEventsState>): void {
    const next = { ...this.#state.current, ...change };
    const { connectionId, hasData, isOffered, items } = next;
    if (connectionId === null) return;
    if (hasData && isOffered && this.#isLookedAt) this.#seen.mark(connectionId, items[0]);
    this.#state.set({ ...next, unread: countUnread(items, this.#seen.get(connectionId)) });
  }

  add(event: PortalEventReading): void {
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
    const pages = this.#pages(current.connectionId, signal, 'follow');
    // The list alone: a filter that is set while this reads must not be taken back by it.
    const { items, nextCursor, isTrimmed } = current;
    const { list, isGap } = await readLatest(pages, { items, nextCursor, isTrimmed }, isPruned);
    signal.throwIfAborted();
    const lastKnownAt = current.items[0]?.timestamp ?? null;
    this.#take({ ...list, ...(isGap ? { gap: { lastKnownAt } } : {}) });
    return list.items[0]?.key !== current.items[0]?.key;
  }

  /** Reads the newest anew, whatever is known. Rejects with a ServiceError. */
  async readAnew(signal: AbortSignal): Promise<void> {
    const { connectionId } = this.#state.current;
    if (connectionId === null) return;
    const { list } = await readLatest(this.#pages(connectionId, signal), emptyList, false);
    signal.throwIfAborted();
    this.#take({ ...list, gap: null });
  }

  /** Reads the next page back in time. Rejects with a ServiceError. */
  async loadMore(signal?: AbortSignal): Promise<void> {
    const { connectionId, nextCursor, items } = this.#state.current;
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
  async read(target: PortalEventTarget, signal?: AbortSignal): Promise<PortalEventReading | undefined> {
    const { connectionId, key } = target;
    const { current } = this.#state;
    const known = current.items.find((event) => event.key === key);
    if (known && current.connectionId === connectionId) return known;
    const { items } = await this.#pages(connectionId, signal)(undefined, eventPageSize);
    return items.find((event) => event.key === key);
  }

  dispose(): void {
    this.#seen.dispose();
    this.#state.dispose();
  }

  #take(change: Partial<PortalEventsState>): void {
    const { connectionId } = this.#state.current;
    if (connectionId !== null && this.#seen.get(connectionId) === undefined)
      this.#seen.mark(connectionId, change.items?.[0]);
    this.show({ ...change, hasData: true, isOffered: true, error: null });
  }

  #pages(
    connectionId: string,
    signal: AbortSignal | undefined,
    priority: Priority = 'user',
  ): PageReader<PortalEventReading> {
    const { portalEvents } = this.#clients.get(connectionId);
    const options = callOptions(signal, priority);
    return (cursor, limit) =>
      portalEvents.list({ limit, ...(cursor === undefined ? {} : { cursor }) }, options);
  }
}
