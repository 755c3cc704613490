import type { ServiceClient } from '../../api/client.ts';
import type { PortalEvent } from '../../domain/portalEvent.ts';
import type { PollPace } from './pollPace.ts';
import type { Clock } from '../../base/time.ts';
import type { PortalEventItem } from '../../api/stream/portalEvents.ts';

/** Times are epoch milliseconds. */
export type ListeningState =
  | { readonly kind: 'off' }
  | { readonly kind: 'connecting' }
  | { readonly kind: 'live'; readonly by: 'stream' | 'polling' }
  | { readonly kind: 'lost'; readonly retryAt: number; readonly error: Error }
  | { readonly kind: 'pausedByLimit'; readonly resumeAt: number };

/** The list to keep up to date, and the means to do it. */
export interface ListenerDeps {
  readonly client: ServiceClient;
  readonly clock: Clock;
  readonly pace: PollPace;
  /** True if a list was already read. */
  readonly hasData: () => boolean;
  /** Reads new events, and returns true if there were any. `isPruned`: the service rejected the position. */
  readonly catchUp: (isPruned: boolean, signal: AbortSignal) => Promise<boolean>;
  readonly add: (event: PortalEvent) => void;
  /** The id of the newest known event. */
  readonly newestId: () => string | undefined;
  readonly turnTo: (state: ListeningState) => void;
}

/**
 * Keeps a list of portal events up to date, with a stream if the service has one, or else by polling. Continues until the signal is
 * aborted; rejects with its reason, or with an error that retries can't resolve.
 */
export async function listen(deps: ListenerDeps, signal: AbortSignal): Promise<void> {
  const { client, clock, pace, hasData, newestId, turnTo } = deps;
  let hasFailed = false;
  /** After a failure, the list is only read again while the window has the focus. */
  const catchUp = async (isPruned: boolean): Promise<boolean> => {
    if (hasFailed) await pace.whenFocused(signal);
    hasFailed = true;
    const isNew = await deps.catchUp(isPruned, signal);
    hasFailed = false;
    return isNew;
  };
  const items = client.portalEvents.stream(undefined, signal, {
    prepare: async () => {
      if (!hasData()) await catchUp(false);
    },
    newestId,
    catchUp,
    untilNextPoll: (idlePolls) => pace.next(idlePolls, signal),
  });
  for await (const item of items) {
    signal.throwIfAborted();
    if (item.kind === 'event') deps.add(item.event);
    else if (item.kind !== 'gap') turnTo(stateOf(item, clock.now()));
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
