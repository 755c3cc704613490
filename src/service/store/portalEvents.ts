// The log of portal events, with a maximum length; the other stores publish to it.
import { createId } from '../ids.ts';
import { type JsonObject, stringifyJson } from '../../base/json.ts';
import type { PortalEventJson } from '../../protocol/records.ts';
import type { SqlRow, SqlDatabase, Statement, Transaction } from './database.ts';
import {
  type Condition,
  integer,
  jsonObject,
  nullableInteger,
  type PageQuery,
  readPage,
  repeatedly,
  rowsAtOnce,
  type StorePage,
  text,
  where,
} from './rows.ts';

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
interface PositionedPortalEvent {
  readonly position: number;
  readonly event: PortalEventJson;
}

/** Events in the order of their positions. */
export interface PortalEventPage {
  readonly items: readonly PositionedPortalEvent[];
  readonly hasMore: boolean;
  /** Whether events after the position were deleted, so that some may be missing. */
  readonly hasGap: boolean;
}

/** How many portal events are kept, and how many bytes of data they may have together. The newest one stays in any case. */
export interface PortalEventLimits {
  readonly count: number;
  readonly bytes: number;
}

export const portalEventLimits: PortalEventLimits = { count: 10_000, bytes: 256 * 1024 * 1024 };

/** How far the bytes may exceed their limit: adding them up reads a row of each event, so it's done once for many. */
const slackShare = 1 / 16;

/** The most rows that one transaction deletes of a surplus that an earlier version or a higher limit has left. At least one event is deleted. */
const batch = { count: 1000, bytes: 20 * 1024 * 1024 } as const;

/** Gives the stored events their positions, so that no event ever gets a position below one that a reader has seen. */
export interface EventPositions {
  /** Called in the transaction that has stored events with this many bytes of data. */
  assign(transaction: Transaction, bytes: number): Promise<void>;
  /** Resolves when every event that is committed by now has its position. */
  settle(): Promise<void>;
}

/** An event without a source; its id may be known before. */
export type PublishedEvent = Omit<NewPortalEvent, 'sourceId'> & { readonly id?: string };

/** Deletes the oldest events over the limits. */
export class EventLimiter {
  readonly #limits: PortalEventLimits;
  /** The bytes stored since they were last added up. */
  #uncounted = Infinity;
  /** The position up to which events had too many bytes then. */
  #surplus = 0;

  constructor(limits: PortalEventLimits) {
    this.#limits = limits;
  }

  /**
   * Deletes the oldest of the events that have positions, after some with this many bytes of data were stored. Returns true when there's
   * more to delete, in the next transaction.
   */
  async limit(transaction: Transaction, bytes: number): Promise<boolean> {
    const { bytes: maximum } = this.#limits;
    this.#uncounted += bytes;
    if (this.#uncounted > maximum * slackShare) {
      this.#surplus = await this.#findSurplus(transaction);
      this.#uncounted = 0;
    }
    const values = [this.#limits.count, this.#surplus];
    const [, left] = await Promise.all([
      transaction.run(
        `DELETE FROM portal_events WHERE position <=
           (SELECT max(position) FROM
             (SELECT position, row_number() OVER (ORDER BY position) AS number,
                sum(octet_length(data)) OVER (ORDER BY position) AS bytes
              FROM (SELECT position, data FROM portal_events WHERE position <= ${lastToGo} ORDER BY position LIMIT ${batch.count}) AS oldest
             ) AS sized
            WHERE number = 1 OR bytes <= ${batch.bytes})`,
        ...values,
      ),
      transaction.get(
        `SELECT 1 AS found FROM portal_events WHERE position <= ${lastToGo} ORDER BY position LIMIT 1`,
        ...values,
      ),
    ]);
    return left !== undefined;
  }

  /** Returns the position of the newest event that exceeds the limit of bytes; 0 when there's none. */
  async #findSurplus(transaction: Transaction): Promise<number> {
    const row = await transaction.get(
      `SELECT coalesce(max(position), 0) AS position FROM
         (SELECT position, sum(octet_length(data)) OVER (ORDER BY position DESC) AS bytes
          FROM portal_events WHERE position IS NOT NULL) AS sized
       WHERE bytes > CAST(? AS BIGINT) AND position < (SELECT max(position) FROM portal_events)`,
      this.#limits.bytes,
    );
    return row ? integer(row, 'position') : 0;
  }
}

/** The position up to which events are deleted, by the number to keep and by the surplus of bytes. */
const lastToGo = `(SELECT CASE WHEN newest - kept > surplus THEN newest - kept ELSE surplus END FROM
  (SELECT max(position) AS newest, CAST(? AS BIGINT) AS kept, CAST(? AS BIGINT) AS surplus FROM portal_events) AS bounds)`;

export class PortalEventStore {
  readonly #database: SqlDatabase;
  readonly #positions: EventPositions;

  constructor(database: SqlDatabase, positions: EventPositions) {
    this.#database = database;
    this.#positions = positions;
  }

  /** Returns the id of the event, or of the stored one with the same sourceId. */
  append(event: NewPortalEvent): Promise<string> {
    return this.#database.transaction(async (transaction) => {
      const { sourceId } = event;
      const id = createId('evt');
      if (sourceId === undefined) {
        await this.publish(transaction, [{ ...event, id }]);
        return id;
      }
      for (;;) {
        const values = this.#valuesOf(event, id);
        if ((await transaction.run(insertionOf(1), ...values)) > 0) {
          await this.#assignPositions(transaction, sizeOf(values));
          return id;
        }
        const known = await transaction.get('SELECT id FROM portal_events WHERE source_id = ?', sourceId);
        // Without a row, it was deleted since.
        if (known) return text(known, 'id');
      }
    });
  }

  /** Publishes events that have no source, together with other writes. */
  async publish(
    transaction: Transaction,
    events: readonly PublishedEvent[],
    writes: readonly Statement[] = [],
  ): Promise<void> {
    const insertions: Statement[] = [];
    let bytes = 0;
    for (let first = 0; first < events.length; first += rowsAtOnce) {
      const some = events
        .slice(first, first + rowsAtOnce)
        .map(({ id, ...event }) => this.#valuesOf(event, id ?? createId('evt')));
      insertions.push({ sql: insertionOf(some.length), values: some.flat() });
      for (const values of some) bytes += sizeOf(values);
    }
    transaction.writeTogether([...writes, ...insertions]);
    if (events.length > 0) await this.#assignPositions(transaction, bytes);
  }

  /** Newest first. */
  async list(filter: PortalEventFilter, page: PageQuery): Promise<StorePage<PortalEventJson>> {
    await this.#positions.settle();
    const select = 'SELECT * FROM portal_events';
    return readPage(
      this.#database,
      select,
      [...conditionsOf(filter), ['position > ?', 0]],
      page,
      toPortalEvent,
    );
  }

  /** Oldest first, from the event after the position; a page ends at the limit, or at about 1 MiB. */
  async listAfter(filter: PortalEventFilter, position: number, limit: number): Promise<PortalEventPage> {
    await this.#positions.settle();
    const { sql, values } = where([...conditionsOf(filter), ['position > ?', position]]);
    const { rows, hasMore } = await this.#database.page(
      `SELECT * FROM portal_events ${sql} ORDER BY position LIMIT ?`,
      limit,
      ...values,
    );
    const items = rows.map((row) => ({ position: integer(row, 'position'), event: toPortalEvent(row) }));
    // Read last, so that it includes what was deleted before the page was read.
    const { first } = await this.#bounds();
    return { items, hasMore, hasGap: position > 0 && first > position + 1 };
  }

  /** Returns undefined when the event is unknown or deleted. */
  async findPosition(id: string): Promise<number | undefined> {
    await this.#positions.settle();
    const row = await this.#database.get('SELECT position FROM portal_events WHERE id = ?', id);
    return (row && nullableInteger(row, 'position')) ?? undefined;
  }

  /** Returns the positions of the oldest and the newest stored event; 0 when there are none. */
  async range(): Promise<{ readonly first: number; readonly last: number }> {
    await this.#positions.settle();
    return this.#bounds();
  }

  async #bounds(): Promise<{ readonly first: number; readonly last: number }> {
    const row = await this.#database.get(
      `SELECT coalesce((SELECT min(position) FROM portal_events), 0) AS first,
         coalesce((SELECT max(position) FROM portal_events), 0) AS last`,
    );
    return row ? { first: integer(row, 'first'), last: integer(row, 'last') } : { first: 0, last: 0 };
  }

  async #assignPositions(transaction: Transaction, bytes: number): Promise<void> {
    await this.#positions.assign(transaction, bytes);
    transaction.announce('portalEvents');
  }

  #valuesOf({ type, data, sourceId }: NewPortalEvent, id: string): (string | null)[] {
    const workflowId = data['workflowId'];
    return [
      id,
      sourceId ?? null,
      type,
      typeof workflowId === 'string' ? workflowId : null,
      this.#database.timestamp(),
      stringifyJson(data),
    ];
  }
}

/** The bytes of an event's data, which is the last of its values. */
function sizeOf(values: readonly (string | null)[]): number {
  return Buffer.byteLength(values.at(-1) ?? '');
}

function insertionOf(count: number): string {
  return `INSERT INTO portal_events (id, source_id, type, workflow_id, timestamp, data)
    VALUES ${repeatedly('(?, ?, ?, ?, ?, ?)', count)} ON CONFLICT DO NOTHING`;
}

function conditionsOf(filter: PortalEventFilter): Condition[] {
  return [
    ['type = ?', filter.type],
    ['workflow_id = ?', filter.workflowId],
  ];
}

function toPortalEvent(row: SqlRow): PortalEventJson {
  return {
    id: text(row, 'id'),
    type: text(row, 'type'),
    timestamp: text(row, 'timestamp'),
    data: jsonObject(row, 'data'),
  };
}
