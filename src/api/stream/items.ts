import type { NodeLog } from '../../domain/nodeLog.ts';
import type { PortalEvent } from '../../domain/portalEvent.ts';
import type { Status } from '../../domain/status.ts';

/** Why following is waiting. */
export type Interruption =
  /** The connection dropped. The next attempt starts after the delay. */
  | { readonly kind: 'lost'; readonly error: Error; readonly retryInMs: number }
  /** The budget or the service's rate limit requires a pause. */
  | { readonly kind: 'paused'; readonly resumeInMs: number };

/** The items of a followed execution. */
export type FollowItem =
  | Interruption
  | { readonly kind: 'open'; readonly by: 'stream' | 'polling' }
  /**
   * Rows that arrived together, in order, at least one. A row is repeated only when the service changed it, or when a service repeats more
   * than the last 20,000; its key identifies it.
   */
  | { readonly kind: 'logs'; readonly logs: readonly NodeLog[] }
  /** The execution's end, as reported by the service. */
  | { readonly kind: 'end'; readonly status: Status };

/** The items of listening for portal events. */
export type PortalEventItem =
  | Interruption
  /** Every later event is an item; earlier ones are in the list. */
  | { readonly kind: 'open'; readonly by: 'stream' | 'polling' }
  | { readonly kind: 'event'; readonly event: PortalEvent }
  /** The position to resume from was deleted. The stream opens again without a position. */
  | { readonly kind: 'gap' };

/** The list of portal events that listening keeps up to date. Transient failures are retried. */
export interface ListenedList {
  /** Reads the list before a connection, if it hasn't been read yet. */
  prepare(): Promise<void>;
  /** The id of the newest known event, to stream after. */
  newestId(): string | undefined;
  /**
   * Adds the events from before a connection or since the last poll to the list. Returns true when there was a new one. isPruned: the
   * service refused the position.
   */
  catchUp(isPruned: boolean): Promise<boolean>;
  /** Resolves when the next poll is due. idlePolls: how many polls in a row found nothing new. */
  untilNextPoll(idlePolls: number): Promise<void>;
}
