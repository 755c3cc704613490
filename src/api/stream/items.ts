import type { NodeLog } from '../../domain/nodeLog.ts';
import type { PortalEvent } from '../../domain/portalEvent.ts';
import type { Status } from '../../domain/status.ts';

/** Why following waits. */
export type Interruption =
  /** The connection dropped; the next attempt starts after the delay. */
  | { readonly kind: 'lost'; readonly error: Error; readonly retryInMs: number }
  /** The budget or the service's limit makes it wait. */
  | { readonly kind: 'paused'; readonly resumeInMs: number };

/** What a followed execution says. */
export type FollowItem =
  | Interruption
  | { readonly kind: 'open'; readonly by: 'stream' | 'polling' }
  /** Rows that arrived together, in order, never none. A row comes again only when the service changed it, or when a service repeats more than the last 20,000; its key tells. */
  | { readonly kind: 'logs'; readonly logs: readonly NodeLog[] }
  /** The execution's own end, as the service told it. */
  | { readonly kind: 'end'; readonly status: Status };

/** What listening for portal events says. */
export type PortalEventItem =
  | Interruption
  /** From now on every event comes; what came before is listed. */
  | { readonly kind: 'open'; readonly by: 'stream' | 'polling' }
  | { readonly kind: 'event'; readonly event: PortalEvent }
  /** The position to resume from was pruned; the stream opens again without one. */
  | { readonly kind: 'gap' };

/** The list of portal events that listening keeps up to date. Transient failures are tried again. */
export interface ListenedList {
  /** Reads the list before a connection where none was read yet. */
  prepare(): Promise<void>;
  /** The id of the newest event that is known, to stream after. */
  newestId(): string | undefined;
  /** Lists what came before a connection, or since the last poll; true when there was something new. isPruned: the position was refused. */
  catchUp(isPruned: boolean): Promise<boolean>;
  /** Resolves when it is time for the next poll. idlePolls: how many in a row brought nothing. */
  untilNextPoll(idlePolls: number): Promise<void>;
}
