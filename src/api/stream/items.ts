import type { NodeLog } from '../../domain/nodeLog.ts';
import type { PortalEvent } from '../../domain/portalEvent.ts';
import type { Status } from '../../domain/status.ts';

/** What a followed log stream says. Rows may come twice after "lost"; their keys tell. */
export type FollowItem =
  | { readonly kind: 'open'; readonly by: 'stream' | 'polling' }
  | { readonly kind: 'log'; readonly log: NodeLog }
  /** The connection dropped; the next attempt starts after the delay. */
  | { readonly kind: 'lost'; readonly error: Error; readonly retryInMs: number }
  /** The budget or the service's limit makes the stream wait. */
  | { readonly kind: 'paused'; readonly resumeInMs: number }
  /** The execution's own end, as the service told it. */
  | { readonly kind: 'end'; readonly status: Status };

/** What a stream of portal events says. */
export type PortalEventItem =
  /** Connected: from now on every event comes; what came before is to be listed. */
  | { readonly kind: 'open' }
  | { readonly kind: 'event'; readonly event: PortalEvent }
  /** The position to resume from was pruned; the stream opens again without one. */
  | { readonly kind: 'gap' }
  /** The connection dropped; the next attempt starts after the delay. */
  | { readonly kind: 'lost'; readonly error: Error; readonly retryInMs: number }
  /** The budget or the service's limit makes the stream wait. */
  | { readonly kind: 'paused'; readonly resumeInMs: number };
