// The log of portal events, with a maximum length; the other stores publish to it.
import { createId } from '../../ids.ts';
import type { PortalEventJson } from '../../../protocol/records.ts';
import type { Row, SqlDatabase, Transaction } from './database.ts';
import {
  type Condition,
  integer,
  jsonObject,
  nullableInteger,
  readPage,
  repeatedly,
  rowsAtOnce,
  text,
  where,
} from './rows.ts';
import type {
  NewPortalEvent,
  PageQuery,
  PlacedPortalEvent,
  PortalEventFilter,
  PortalEventStore,
  StorePage,
} from '../store.ts';

/** How many portal events are kept, and how many bytes of data they may have together. The newest one stays in any case. */
export interface PortalEventLimits {
  readonly count: number;
  readonly bytes: number;
}

export const portalEventLimits: PortalEventLimits = { count: 10_000, bytes: 256 * 1024 * 1024 };

/** How far the bytes may exceed their limit: adding them up reads a row of each event, so it's done once for many. */
const slackShare = 1 / 16;

/** Gives the stored events their positions, so that no event ever gets a position below one that a reader has seen. */
export interface EventPlaces {
  /** Called in the transaction that has stored events with so many bytes of data. */
  place(transaction: Transaction, bytes: number): void;
  /** Resolves when every event that is committed by now has its position. */
  settle(): Promise<void>;
}

/** An event that has no source; its id may be known before. */
export type PublishedEvent = Omit<NewPortalEvent, 'sourceId'> & { readonly id?: string };

/** Deletes the oldest events over the limits. */
export class EventLimiter {
  readonly #limits: PortalEventLimits;
  /** The bytes stored since they were last added up. */
  #uncounted = Infinity;

  constructor(limits: PortalEventLimits) {
    this.#limits = limits;
  }

  /** Deletes the oldest of the events that have positions, after some with so many bytes of data were stored. */
  limit(transaction: Transaction, bytes: number): void {
    const { count, bytes: maximum } = this.#limits;
    transaction.write(
      'DELETE FROM portal_events WHERE position <= (SELECT max(position) FROM portal_events) - CAST(? AS BIGINT)',
      count,
    );
    this.#uncounted += bytes;
    if (this.#uncounted <= maximum * slackShare) return;
    this.#uncounted = 0;
    transaction.write(
      `DELETE FROM portal_events WHERE position < (SELECT max(position) FROM portal_events) AND position <=
         (SELECT max(position) FROM
           (SELECT position, sum(octet_length(data)) OVER (ORDER BY position DESC) AS bytes
            FROM portal_events WHERE position IS NOT NULL) AS sized
          WHERE bytes > CAST(? AS BIGINT))`,
      maximum,
    );
  }
}

export class SqlPortalEventStore implements PortalEventStore {
  readonly #database: SqlDatabase;
  readonly #places: EventPlaces;

  constructor(database: SqlDatabase, places: EventPlaces) {
    this.#database = database;
    this.#places = places;
  }

  append(event: NewPortalEvent): Promise<string> {
    return this.#database.transaction(async (transaction) => {
      const { sourceId } = event;
      const id = createId('evt');
      if (sourceId === undefined) {
        this.publish(transaction, [{ ...event, id }]);
        return id;
      }
      for (;;) {
        const values = this.#valuesOf(event, id);
        if ((await transaction.run(insertionOf(1), ...values)) > 0) {
          this.#place(transaction, sizeOf(values));
          return id;
        }
        const known = await transaction.get('SELECT id FROM portal_events WHERE source_id = ?', sourceId);
        // Without a row, it was deleted since.
        if (known) return text(known, 'id');
      }
    });
  }

  /** Publishes events that have no source. */
  publish(transaction: Transaction, events: readonly PublishedEvent[]): void {
    let bytes = 0;
    for (let first = 0; first < events.length; first += rowsAtOnce) {
      const some = events
        .slice(first, first + rowsAtOnce)
        .map(({ id, ...event }) => this.#valuesOf(event, id ?? createId('evt')));
      transaction.write(insertionOf(some.length), ...some.flat());
      for (const values of some) bytes += sizeOf(values);
    }
    if (events.length > 0) this.#place(transaction, bytes);
  }

  async list(filter: PortalEventFilter, page: PageQuery): Promise<StorePage<PortalEventJson>> {
    await this.#places.settle();
    const select = 'SELECT * FROM portal_events';
    return readPage(
      this.#database,
      select,
      [...conditionsOf(filter), ['position > ?', 0]],
      page,
      toPortalEvent,
    );
  }

  async listAfter(
    filter: PortalEventFilter,
    position: number,
    limit: number,
  ): Promise<{ readonly items: readonly PlacedPortalEvent[]; readonly hasMore: boolean }> {
    await this.#places.settle();
    const { sql, values } = where([...conditionsOf(filter), ['position > ?', position]]);
    const { rows, hasMore } = await this.#database.page(
      `SELECT * FROM portal_events ${sql} ORDER BY position LIMIT ?`,
      limit,
      ...values,
    );
    const items = rows.map((row) => ({ position: integer(row, 'position'), event: toPortalEvent(row) }));
    return { items, hasMore };
  }

  async findPosition(id: string): Promise<number | undefined> {
    await this.#places.settle();
    const row = await this.#database.get('SELECT position FROM portal_events WHERE id = ?', id);
    return (row && nullableInteger(row, 'position')) ?? undefined;
  }

  async range(): Promise<{ readonly first: number; readonly last: number }> {
    await this.#places.settle();
    const row = await this.#database.get(
      `SELECT coalesce((SELECT min(position) FROM portal_events), 0) AS first,
         coalesce((SELECT max(position) FROM portal_events), 0) AS last`,
    );
    return row ? { first: integer(row, 'first'), last: integer(row, 'last') } : { first: 0, last: 0 };
  }

  #place(transaction: Transaction, bytes: number): void {
    this.#places.place(transaction, bytes);
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
      JSON.stringify(data),
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

function toPortalEvent(row: Row): PortalEventJson {
  return {
    id: text(row, 'id'),
    type: text(row, 'type'),
    timestamp: text(row, 'timestamp'),
    data: jsonObject(row, 'data'),
  };
}
