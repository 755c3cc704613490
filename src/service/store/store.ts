// What the service keeps, as an interface, so that a database server can stand behind it later.
import type { JsonObject } from '../../base/json.ts';
import type { KeyExpiration } from '../../domain/apiKey.ts';
import type { ApiKeyJson, CreatedApiKeyJson, PortalEventJson } from '../../protocol/records.ts';
import type { Changes } from './changes.ts';
import type { ExecutionStore } from './executions.ts';
import type { NodeRunStore } from './nodeRuns.ts';
import type { StorageProblem } from './storageError.ts';
import type { PageQuery, StorePage, WorkflowStore } from './workflows.ts';

export interface Store {
  readonly workflows: WorkflowStore;
  readonly executions: ExecutionStore;
  readonly nodeRuns: NodeRunStore;
  readonly portalEvents: PortalEventStore;
  readonly keys: KeyStore;
  readonly changes: Changes;
  /** What kept the last write from being kept; undefined since one was. */
  writeProblem(): StorageProblem | undefined;
  /** Gives free pages of the file back to the disk, at most so many; false when there were none to give back. */
  shrink(pages: number): Promise<boolean>;
  close(): Promise<void>;
}

export interface KeyStore {
  /** The only time the key itself is answered. */
  create(name: string, expiration: KeyExpiration): Promise<CreatedApiKeyJson>;
  /** Newest first. */
  list(): Promise<readonly ApiKeyJson[]>;
  /** False when there is none. Revoking twice changes nothing. */
  revoke(id: string): Promise<boolean>;
  find(key: string): Promise<ApiKeyJson | undefined>;
  /** Counts one accepted request. Writes nothing itself: what is counted is in the list at once, and in the file a little later. */
  recordUse(id: string): void;
}

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
