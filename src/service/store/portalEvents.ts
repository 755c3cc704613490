// Portal events as they are kept: in order, bounded in number (contract section 3, operation 15).
import type { JsonObject } from '../../base/json.ts';
import type { PortalEventJson } from '../../protocol/records.ts';
import type { PageQuery, StorePage } from './store.ts';

export interface NewPortalEvent {
  readonly type: string;
  readonly data: JsonObject;
  /** Names the event on the sender's side: the same one twice is kept once. */
  readonly sourceId?: string | undefined;
}

export interface PortalEventFilter {
  readonly type?: string | undefined;
  readonly workflowId?: string | undefined;
}

/** An event with its place in the order. */
interface PlacedPortalEvent {
  readonly position: number;
  readonly event: PortalEventJson;
}

export interface PortalEventStore {
  /** The id of the event, or of the one kept before under the same sourceId. */
  append(event: NewPortalEvent): Promise<string>;
  /** Newest first. */
  list(filter: PortalEventFilter, page: PageQuery): Promise<StorePage<PortalEventJson>>;
  /** Oldest first, from the one after the position; a page ends at the limit, or at about 1 MiB. */
  listAfter(
    filter: PortalEventFilter,
    position: number,
    limit: number,
  ): Promise<{ readonly items: readonly PlacedPortalEvent[]; readonly hasMore: boolean }>;
  /** undefined: unknown, or pruned. */
  findPosition(id: string): Promise<number | undefined>;
  /** The positions of the oldest and the newest event that is kept; 0 without events. */
  range(): Promise<{ readonly first: number; readonly last: number }>;
}
