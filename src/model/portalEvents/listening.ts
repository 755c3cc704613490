// Keeps a list of portal events up to date: by stream where there is one, else by asking, through drops and limits.
import { wait } from '../../base/time.ts';
import { isServiceError, type ServiceError } from '../../domain/serviceError.ts';
import type { Clock } from '../ports.ts';
import type { PollPace } from './pollPace.ts';
import type { PortalEvent } from '../../domain/portalEvent.ts';
import type { PortalEventItem } from '../../api/stream/items.ts';
import type { ServiceClient } from '../../api/client.ts';

/** Times are epoch milliseconds. */
export type ListeningState =
  | { readonly kind: 'off' }
  | { readonly kind: 'connecting' }
  | { readonly kind: 'live'; readonly by: 'stream' | 'polling' }
  | { readonly kind: 'lost'; readonly retryAt: number; readonly error: Error }
  | { readonly kind: 'pausedByLimit'; readonly resumeAt: number };

/** The list that is kept up to date, and with what. */
export interface ListenerDeps {
  readonly client: () => ServiceClient;
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

const longestPauseMs = 30_000;

/** True for a failure that goes away by itself. */
export function heals({ reason }: ServiceError): boolean {
  if (reason.kind === 'rateLimited') return !reason.isQuota;
  if (reason.kind === 'unreachable') return reason.cause !== 'tls';
  return reason.kind === 'unavailable';
}

/** Milliseconds: 1 s·2ⁿ up to 30 s, or what the limit asks for. */
function pauseAfter({ reason }: ServiceError, failures: number, now: number): number {
  if (reason.kind === 'rateLimited') return Math.max(1000, reason.retryAt - now);
  return Math.min(longestPauseMs, 1000 * 2 ** Math.min(failures, 5));
}

function stateOf(item: PortalEventItem & { kind: 'lost' | 'paused' }, now: number): ListeningState {
  return item.kind === 'lost'
    ? { kind: 'lost', retryAt: now + item.retryInMs, error: item.error }
    : { kind: 'pausedByLimit', resumeAt: now + item.resumeInMs };
}

/** Streams for as long as there is a stream. What was published before it opened is listed after, so that nothing falls between. */
async function stream(deps: ListenerDeps, signal: AbortSignal): Promise<void> {
  const { client, clock, catchUp, add, newestId, turnTo } = deps;
  let isPruned = false;
  for await (const item of client().portalEvents.stream(newestId(), signal)) {
    signal.throwIfAborted();
    switch (item.kind) {
      case 'open':
        await catchUp(isPruned, signal);
        isPruned = false;
        turnTo({ kind: 'live', by: 'stream' });
        break;
      case 'event':
        add(item.event);
        break;
      case 'gap':
        isPruned = true;
        break;
      case 'lost':
      case 'paused':
        turnTo(stateOf(item, clock.now()));
    }
  }
}

async function poll({ pace, catchUp, turnTo }: ListenerDeps, signal: AbortSignal): Promise<never> {
  for (let idlePolls = -1; ;) {
    idlePolls = (await catchUp(false, signal)) ? 0 : idlePolls + 1;
    turnTo({ kind: 'live', by: 'polling' });
    await pace.next(idlePolls, signal);
  }
}

/** Goes on until the signal is aborted; rejects with its reason, or with what cannot heal. */
export async function listen(given: ListenerDeps, signal: AbortSignal): Promise<never> {
  const { clock, pace, hasData, turnTo } = given;
  let mayStream = true;
  let failures = 0;
  const catchUp: ListenerDeps['catchUp'] = async (...values) => {
    const isNew = await given.catchUp(...values);
    failures = 0;
    return isNew;
  };
  const deps = { ...given, catchUp };
  for (;;) {
    try {
      if (!hasData()) await catchUp(false, signal);
      if (mayStream) await stream(deps, signal);
      mayStream = false;
      await poll(deps, signal);
    } catch (error) {
      signal.throwIfAborted();
      if (!isServiceError(error) || !heals(error)) throw error;
      const pauseMs = pauseAfter(error, failures, clock.now());
      failures += 1;
      turnTo({ kind: 'lost', retryAt: clock.now() + pauseMs, error });
      await wait(clock, pauseMs, signal);
      await pace.whenFocused(signal);
    }
  }
}
