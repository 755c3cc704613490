// The interface of the service's storage, independent of SQLite.
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
  /** The storage problem of the last failed write; undefined after a successful one. */
  writeProblem(): StorageProblem | undefined;
  /** Returns at most this number of free pages to the disk; false when there were none to return. */
  shrink(pages: number): Promise<boolean>;
  close(): Promise<void>;
}

export interface KeyStore {
  /** The only call that returns the key itself. */
  create(name: string, expiration: KeyExpiration): Promise<CreatedApiKeyJson>;
  /** Newest first. */
  list(): Promise<readonly ApiKeyJson[]>;
  /** Returns false when there's no such key. Revoking a key again changes nothing. */
  revoke(id: string): Promise<boolean>;
  find(key: string): Promise<ApiKeyJson | undefined>;
  /** Counts an accepted request. Doesn't write immediately: lists show the use at once, the file a little later. */
  recordUse(id: string): void;
}

export interface NewPortalEvent {
  readonly type: string;
  readonly data: JsonObject;
  /** The sender's id of the event; a second event with the same id isn't stored. */
  readonly sourceId?: string | undefined;
}

export interface PortalEventFilter {
  readonly type?: string | undefined;
  readonly workflowId?: string | undefined;
}

/** An event with its position. */
interface PlacedPortalEvent {
  readonly position: number;
  readonly event: PortalEventJson;
}

export interface PortalEventStore {
  /** Returns the id of the event, or of the stored one with the same sourceId. */
  append(event: NewPortalEvent): Promise<string>;
  /** Newest first. */
  list(filter: PortalEventFilter, page: PageQuery): Promise<StorePage<PortalEventJson>>;
  /** Oldest first, from the event after the position; a page ends at the limit, or at about 1 MiB. */
  listAfter(
    filter: PortalEventFilter,
    position: number,
    limit: number,
  ): Promise<{ readonly items: readonly PlacedPortalEvent[]; readonly hasMore: boolean }>;
  /** Returns undefined when the event is unknown or deleted. */
  findPosition(id: string): Promise<number | undefined>;
  /** Returns the positions of the oldest and the newest stored event; 0 when there are none. */
  range(): Promise<{ readonly first: number; readonly last: number }>;
}
