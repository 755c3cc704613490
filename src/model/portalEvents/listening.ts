// Keeps the list of portal events up to date, as often as the user's attention is worth.
import { aborted } from '../../base/async.ts';
import { type Clock, wait } from '../../base/time.ts';
import type { Attention } from '../autoRefresh.ts';
import type { EventStore } from './eventStore.ts';
import type { ListeningState } from './portalEventsState.ts';
import { pollDelay } from '../../domain/budget.ts';
import type { PortalEventItem, ServicePort } from '../../api/servicePort.ts';

export interface ListenerDeps {
  readonly client: ServicePort;
  /** The list to keep up to date. */
  readonly store: EventStore;
  readonly pace: PollPace;
  readonly clock: Clock;
}

/**
 * Keeps the list up to date with a stream if the service has one, or else by polling. Continues until the signal is aborted; rejects with
 * its reason, or with an error that retries can't resolve.
 */
export async function listenForEvents(
  { client, store, pace, clock }: ListenerDeps,
  signal: AbortSignal,
): Promise<void> {
  let hasFailed = false;
  /** After a failure, the list is only read again while the window has the focus. */
  const catchUp = async (isPruned: boolean): Promise<boolean> => {
    if (hasFailed) await pace.whenFocused(signal);
    hasFailed = true;
    const isNew = await store.catchUp(isPruned, signal);
    hasFailed = false;
    return isNew;
  };
  const items = client.portalEvents.stream(undefined, signal, {
    prepare: async () => {
      if (!store.state.current.hasData) await catchUp(false);
    },
    newestId: () => store.state.current.items[0]?.id ?? undefined,
    catchUp,
    untilNextPoll: (idlePolls) => pace.next(idlePolls, signal),
  });
  for await (const item of items) {
    signal.throwIfAborted();
    if (item.kind === 'event') store.add(item.event);
    else if (item.kind !== 'gap') store.show({ listening: stateOf(item, clock.now()) });
  }
}

function stateOf(
  item: Exclude<PortalEventItem, { readonly kind: 'event' | 'gap' }>,
  now: number,
): ListeningState {
  switch (item.kind) {
    case 'open':
      return { kind: 'live', by: item.by };
    case 'lost':
      return { kind: 'lost', retryAt: now + item.retryInMs, error: item.error };
    case 'paused':
      return { kind: 'pausedByLimit', resumeAt: now + item.resumeInMs };
  }
}

/** Returns the milliseconds until the next poll, by how many polls in a row found nothing; null: not while the window has no focus. */
export function eventPollDelay({ isVisible, isFocused }: Attention, idlePolls: number): number | null {
  return isFocused ? pollDelay(isVisible ? 'watched' : 'hidden', idlePolls) : null;
}

/** When to poll. Starts as not visible and not focused. */
export class PollPace {
  readonly #clock: Clock;
  #attention: Attention = { isVisible: false, isFocused: false };
  /** Aborted when the attention changes. */
  #turned = new AbortController();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Sets whether the user can see the view; the delay of a waiting poll is recalculated. */
  setAttention(attention: Attention): void {
    const { isVisible, isFocused } = this.#attention;
    if (attention.isVisible === isVisible && attention.isFocused === isFocused) return;
    this.#attention = attention;
    this.#turned.abort();
    this.#turned = new AbortController();
  }

  /** Resolves when the next poll is due; rejects with the signal's reason when it's aborted. */
  async next(idlePolls: number, signal: AbortSignal): Promise<void> {
    const began = this.#clock.now();
    for (;;) {
      const delayMs = eventPollDelay(this.#attention, idlePolls);
      const isDue = await this.#untilTurned(
        delayMs === null ? null : Math.max(0, began + delayMs - this.#clock.now()),
        signal,
      );
      if (isDue) return;
    }
  }

  /** Resolves when the window has the focus; rejects with the signal's reason when it's aborted. */
  async whenFocused(signal: AbortSignal): Promise<void> {
    while (!this.#attention.isFocused) await this.#untilTurned(null, signal);
  }

  /** True when the milliseconds have passed, false when the attention changed before; null waits for the latter only. */
  async #untilTurned(milliseconds: number | null, signal: AbortSignal): Promise<boolean> {
    const ended = AbortSignal.any([this.#turned.signal, signal]);
    if (milliseconds === null) await aborted(ended);
    else
      await wait(this.#clock, milliseconds, ended).catch((error: unknown) => {
        if (!ended.aborted) throw error;
      });
    signal.throwIfAborted();
    return !ended.aborted;
  }
}
