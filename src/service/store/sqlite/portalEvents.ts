// The log of portal events, with a maximum length; the other stores publish to it.
import { createId } from '../../ids.ts';
import type { PortalEventJson } from '../../../protocol/records.ts';
import type { Row, SqliteDatabase } from './database.ts';
import { type Condition, integer, jsonObject, readPage, text, where } from './rows.ts';
import type {
  NewPortalEvent,
  PageQuery,
  PlacedPortalEvent,
  PortalEventFilter,
  PortalEventStore,
  StorePage,
} from '../store.ts';

export class SqlitePortalEventStore implements PortalEventStore {
  readonly #database: SqliteDatabase;
  readonly #maximum: number;

  /** `maximum` is the number of events to keep. */
  constructor(database: SqliteDatabase, maximum: number) {
    this.#database = database;
    this.#maximum = maximum;
  }

  append(event: NewPortalEvent): Promise<string> {
    return Promise.resolve(this.#database.transaction(() => this.publish(event)));
  }

  /** Publishes within the current transaction and returns the event's id. */
  publish({ type, data, sourceId, id = createId('evt') }: NewPortalEvent & { readonly id?: string }): string {
    if (sourceId !== undefined) {
      const known = this.#database.get('SELECT id FROM portal_events WHERE source_id = ?', sourceId);
      if (known) return text(known, 'id');
    }
    const workflowId = data['workflowId'];
    const row = this.#database.get(
      `INSERT INTO portal_events (id, source_id, type, workflow_id, timestamp, data)
       VALUES (?, ?, ?, ?, ?, ?) RETURNING position`,
      id,
      sourceId ?? null,
      type,
      typeof workflowId === 'string' ? workflowId : null,
      this.#database.timestamp(),
      JSON.stringify(data),
    );
    if (row) {
      const oldest = integer(row, 'position') - this.#maximum;
      this.#database.run('DELETE FROM portal_events WHERE position <= ?', oldest);
    }
    this.#database.announce('portalEvents');
    return id;
  }

  list(filter: PortalEventFilter, page: PageQuery): Promise<StorePage<PortalEventJson>> {
    const select = 'SELECT * FROM portal_events';
    return Promise.resolve(readPage(this.#database, select, conditionsOf(filter), page, toPortalEvent));
  }

  listAfter(
    filter: PortalEventFilter,
    position: number,
    limit: number,
  ): Promise<{ readonly items: readonly PlacedPortalEvent[]; readonly hasMore: boolean }> {
    const { sql, values } = where([...conditionsOf(filter), ['position > ?', position]]);
    const { rows, hasMore } = this.#database.page(
      `SELECT * FROM portal_events ${sql} ORDER BY position LIMIT ?`,
      limit,
      ...values,
    );
    const items = rows.map((row) => ({ position: integer(row, 'position'), event: toPortalEvent(row) }));
    return Promise.resolve({ items, hasMore });
  }

  findPosition(id: string): Promise<number | undefined> {
    const row = this.#database.get('SELECT position FROM portal_events WHERE id = ?', id);
    return Promise.resolve(row && integer(row, 'position'));
  }

  range(): Promise<{ readonly first: number; readonly last: number }> {
    const row = this.#database.get(
      `SELECT coalesce((SELECT min(position) FROM portal_events), 0) AS first,
         coalesce((SELECT max(position) FROM portal_events), 0) AS last`,
    );
    return Promise.resolve(
      row ? { first: integer(row, 'first'), last: integer(row, 'last') } : { first: 0, last: 0 },
    );
  }
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
