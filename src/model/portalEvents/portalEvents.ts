import { isAbortError } from '../../base/async.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Logger } from '../../base/logger.ts';
import { type Observable, ObservableValue } from '../../base/event.ts';
import { isLacking, isServiceError, isTransient } from '../../domain/errors.ts';
import type { Attention } from '../autoRefresh.ts';
import type { Clients } from '../connections/clients.ts';
import type { Connections } from '../connections/connections.ts';
import { watchAccount } from '../connections/watchAccount.ts';
import type { StatePort } from '../ports.ts';
import { EventStore } from './eventStore.ts';
import { listenForEvents, PollPace } from './listening.ts';
import type { EventFilter, ListenMode, PortalEventsState, PortalEventTarget } from './portalEventsState.ts';
import { SeenEvents } from './seenEvents.ts';
import type { PortalEvent } from '../../domain/portalEvent.ts';
import type { Clock } from '../../base/time.ts';

export interface PortalEventsDeps {
  readonly connections: Connections;
  readonly clients: Clients;
  /** Shared by all windows; stores which events were seen. */
  readonly globalState: StatePort;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * The portal events of the active connection: lists them, keeps them up to date, and counts the unseen ones. Sends no requests until the
 * view is visible or the listen mode requires it.
 */
export class PortalEvents implements Disposable {
  readonly #deps: PortalEventsDeps;
  readonly #owned = new DisposableStore();
  readonly #store: EventStore;
  readonly #pace: PollPace;
  readonly #mode = this.#owned.add(new ObservableValue<ListenMode>('never'));
  #isVisible = false;
  /** Aborts the current listening or reading. */
  #run: AbortController | undefined;
  /** Listening ended with an error that retries can't resolve. */
  #isHalted = false;
  /** A view that doesn't listen reads on its own only once. */
  #wasAsked = false;

  constructor(deps: PortalEventsDeps) {
    this.#deps = deps;
    const { connections, clients, clock, globalState } = deps;
    this.#store = this.#owned.add(new EventStore(clients, new SeenEvents(globalState, clock)));
    this.#pace = new PollPace(clock);
    this.#owned.add(
      watchAccount(
        connections,
        () => this.#switch(),
        () => this.#startAnew(),
      ),
    );
    this.#switch();
  }

  get state(): Observable<PortalEventsState> {
    return this.#store.state;
  }

  /** Sets whether the view is visible and the window focused; initially neither. Visible events count as seen. */
  setAttention(attention: Attention): void {
    this.#isVisible = attention.isVisible;
    this.#pace.setAttention(attention);
    this.#store.setLookedAt(attention.isVisible);
    this.#reconsider();
  }

  get listenMode(): Observable<ListenMode> {
    return this.#mode;
  }

  /** Sets when to listen; initially "never". */
  setListenMode(mode: ListenMode): void {
    this.#mode.set(mode);
    this.#reconsider();
  }

  /** Reads from scratch and listens again, even after a permanent failure. Failures become state. */
  async refresh(): Promise<void> {
    const run = this.#begin();
    this.#wasAsked = true;
    try {
      await this.#store.readAnew(run.signal);
    } catch (error) {
      this.#halt(error, run.signal);
    } finally {
      if (this.#run === run) this.#run = undefined;
      this.#reconsider();
    }
  }

  /** Reads the newest events, however many pages they are on and whatever the view shows. Rejects with a ServiceError. */
  async listWhole(
    connectionId: string,
    { limit, signal }: { readonly limit: number; readonly signal?: AbortSignal },
  ): Promise<readonly PortalEvent[]> {
    const { portalEvents } = this.#deps.clients.get(connectionId);
    return portalEvents.listWhole({ limit, signal, purpose: 'portalEvents' });
  }

  /** Resolves with the ids of the created events, if the service returns them. Rejects with a ServiceError. */
  async send(connectionId: string, event: JsonObject): Promise<readonly string[]> {
    return this.#deps.clients.get(connectionId).portalEvents.send(event);
  }

  /** Reads the next older page of the events that pass the filter. Rejects with a ServiceError; with a filter, failures become state. */
  loadMore(): Promise<void> {
    return this.#store.loadMore();
  }

  /**
   * Shows only events that pass the filter, and requests them from the service. Listening, the list of all events and the unread count don't
   * change. Failures become state.
   */
  setFilter(filter: EventFilter): Promise<void> {
    return this.#store.setFilter(filter);
  }

  markAllRead(): void {
    this.#store.markAllRead();
  }

  /** Returns the event from memory, or else from the newest events of the service; undefined when neither has it. Rejects with a ServiceError. */
  read(target: PortalEventTarget, signal?: AbortSignal): Promise<PortalEvent | undefined> {
    return this.#store.read(target, signal);
  }

  dispose(): void {
    this.#stop();
    this.#owned.dispose();
  }

  /** Switches to the active connection. */
  #switch(): void {
    this.#store.reset(this.#deps.connections.active.current?.id ?? null);
    this.#wasAsked = false;
    this.#startAnew();
  }

  #startAnew(): void {
    this.#stop();
    this.#isHalted = false;
    this.#reconsider();
  }

  #begin(): AbortController {
    this.#stop();
    this.#isHalted = false;
    return (this.#run = new AbortController());
  }

  #stop(): void {
    this.#run?.abort();
    this.#run = undefined;
  }

  /** Starts or stops listening, according to the mode and the visibility. */
  #reconsider(): void {
    const { connectionId, hasData, listening } = this.state.current;
    const { current: mode } = this.#mode;
    const isWanted = mode === 'always' || (mode === 'whenVisible' && this.#isVisible);
    if (this.#owned.isDisposed || connectionId === null) return;
    if (!isWanted && listening.kind !== 'off') {
      this.#stop();
      this.#store.show({ listening: { kind: 'off' } });
    }
    if (this.#run !== undefined || this.#isHalted) return;
    if (isWanted) void this.#listen(connectionId);
    else if (this.#isVisible && !hasData && !this.#wasAsked) void this.refresh();
  }

  async #listen(connectionId: string): Promise<void> {
    const { clients, clock } = this.#deps;
    const store = this.#store;
    const run = this.#begin();
    store.show({ listening: { kind: 'connecting' } });
    try {
      await listenForEvents(
        { client: clients.get(connectionId), store, pace: this.#pace, clock },
        run.signal,
      );
    } catch (error) {
      this.#halt(error, run.signal);
    }
  }

  /** Shows why listening or reading ended, unless it was stopped. */
  #halt(error: unknown, signal: AbortSignal): void {
    if (signal.aborted) return;
    this.#run = undefined;
    this.#isHalted = !isServiceError(error) || !isTransient(error);
    if (isLacking(error)) {
      this.#store.close();
      return;
    }
    this.#store.show({ listening: { kind: 'off' }, ...(isServiceError(error) ? { error } : {}) });
    if (!isServiceError(error) && !isAbortError(error))
      this.#deps.logger.error('Listening for portal events ended.', error);
  }
}
