import { isAbortError } from '../../base/async.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import type { Logger } from '../../base/logger.ts';
import { isServiceError } from '../../domain/errors.ts';
import type { PortalEvent } from '../../domain/portalEvent.ts';
import type { Attention } from '../autoRefresh.ts';
import type { Clients } from '../connections/clients.ts';
import type { Connections } from '../connections/connections.ts';
import { watchAccount } from '../connections/watchAccount.ts';
import type { PortalEvents } from '../portalEvents/portalEvents.ts';
import type { PortalEventsState } from '../portalEvents/portalEventsState.ts';

/** Executions began or ended. null: not known which. */
export interface ExecutionEvent {
  readonly connectionId: string;
  readonly workflowId: string | null;
  readonly executionId: string | null;
}

/** Anything may have happened. */
export function anyExecutionOf(connectionId: string): ExecutionEvent {
  return { connectionId, workflowId: null, executionId: null };
}

export interface ExecutionEventsDeps {
  readonly connections: Connections;
  readonly clients: Clients;
  readonly portalEvents: Pick<PortalEvents, 'state' | 'listenMode'>;
  readonly logger: Logger;
}

/**
 * Tells that executions of the active connection began or ended, wherever they were started: by the portal events that are listened to, or
 * else by a stream of its own while a view of executions is visible. Opening that costs one request. Where the service has no stream,
 * nothing is asked.
 */
export class ExecutionEvents implements Disposable {
  readonly #deps: ExecutionEventsDeps;
  readonly #owned = new DisposableStore();
  readonly #events = this.#owned.add(new Emitter<ExecutionEvent>());
  readonly onDidReceive = this.#events.event;
  #attention: Attention = { isVisible: false, isFocused: false };
  #shown: PortalEventsState;
  #run: AbortController | undefined;
  /** The service has no stream, or refuses it. */
  #isHalted = false;

  constructor(deps: ExecutionEventsDeps) {
    this.#deps = deps;
    const { connections, portalEvents } = deps;
    this.#shown = portalEvents.state.current;
    this.#owned.add(portalEvents.state.onDidChange((state) => this.#receiveNewer(state)));
    this.#owned.add(portalEvents.listenMode.onDidChange(() => this.#reconsider()));
    const startAnew = (): void => this.#startAnew();
    this.#owned.add(watchAccount(connections, startAnew, startAnew));
  }

  /** Sets whether a view of executions is visible and the window focused; initially neither. */
  setAttention(attention: Attention): void {
    this.#attention = attention;
    this.#reconsider();
  }

  dispose(): void {
    this.#stop();
    this.#owned.dispose();
  }

  #startAnew(): void {
    this.#stop();
    this.#isHalted = false;
    this.#reconsider();
  }

  #stop(): void {
    this.#run?.abort();
    this.#run = undefined;
  }

  /** A stream that is open stays open while the window has no focus. */
  #reconsider(): void {
    const { connections, portalEvents } = this.#deps;
    const { isVisible, isFocused } = this.#attention;
    const isListening = portalEvents.state.current.listening.kind !== 'off';
    if (!isVisible || isListening || portalEvents.listenMode.current === 'never') {
      this.#stop();
      return;
    }
    const { current } = connections.active;
    if (isFocused && this.#run === undefined && !this.#isHalted && current !== null)
      void this.#listen(current.id);
  }

  async #listen(connectionId: string): Promise<void> {
    const run = (this.#run = new AbortController());
    const { clients, logger } = this.#deps;
    try {
      for await (const item of clients.get(connectionId).portalEvents.stream(undefined, run.signal)) {
        run.signal.throwIfAborted();
        if (item.kind === 'event') this.#receive(connectionId, item.event);
        else if (item.kind === 'open') this.#fireMissed(connectionId);
      }
    } catch (error) {
      if (run.signal.aborted) return;
      if (!isServiceError(error) && !isAbortError(error))
        logger.error('Listening for executions ended.', error);
    }
    if (this.#run !== run) return;
    this.#run = undefined;
    this.#isHalted = true;
  }

  /** Takes the events that are newer than those of the state before. */
  #receiveNewer(state: PortalEventsState): void {
    const before = this.#shown;
    this.#shown = state;
    const { connectionId, items } = state;
    const { kind } = state.listening;
    if (kind !== before.listening.kind) {
      this.#reconsider();
      if (kind === 'live' && connectionId !== null) this.#fireMissed(connectionId);
    }
    const isFollowUp = before.hasData && before.connectionId === connectionId;
    if (connectionId === null || !isFollowUp || items === before.items) return;
    const [newest] = before.items;
    const count = newest === undefined ? items.length : items.indexOf(newest);
    // There are more new events than were read.
    if (count < 0) this.#fireMissed(connectionId);
    else for (const event of items.slice(0, count).toReversed()) this.#receive(connectionId, event);
  }

  /** No event says what happened before listening began, or between what was read. */
  #fireMissed(connectionId: string): void {
    this.#events.fire(anyExecutionOf(connectionId));
  }

  #receive(connectionId: string, { type, workflowId, executionId }: PortalEvent): void {
    if (type.startsWith('execution.')) this.#events.fire({ connectionId, workflowId, executionId });
  }
}
