import type { ServiceClient } from '../../api/client.ts';
import type { PortalEvent } from '../../domain/portalEvent.ts';
import type { Clock } from '../ports.ts';
import type { PollPace } from './pollPace.ts';
import type { PortalEventItem } from '../../api/stream/items.ts';

/** Times are epoch milliseconds. */
export type ListeningState =
  | { readonly kind: 'off' }
  | { readonly kind: 'connecting' }
  | { readonly kind: 'live'; readonly by: 'stream' | 'polling' }
  | { readonly kind: 'lost'; readonly retryAt: number; readonly error: Error }
  | { readonly kind: 'pausedByLimit'; readonly resumeAt: number };

/** The list that is kept up to date, and with what. */
export interface ListenerDeps {
  readonly client: ServiceClient;
  readonly clock: Clock;
  readonly pace: PollPace;
  /** A list was read already. */
  readonly hasData: () => boolean;
  /** Reads what is new, and tells whether there was anything. isPruned: the position was refused. */
  readonly catchUp: (isPruned: boolean, signal: AbortSignal) => Promise<boolean>;
  readonly add: (event: PortalEvent) => void;
  /** The id of the newest event that is known. */
  readonly newestId: () => string | undefined;
  readonly turnTo: (state: ListeningState) => void;
}

/** Keeps a list of portal events up to date, by stream where there is one, else by asking. Goes on until the signal is aborted; rejects with its reason, or with what cannot heal. */
export async function listen(deps: ListenerDeps, signal: AbortSignal): Promise<void> {
  const { client, clock, pace, hasData, newestId, turnTo } = deps;
  let hasFailed = false;
  /** After a failure the list is read again only while the window has the focus. */
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
