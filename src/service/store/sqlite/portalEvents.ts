// The log of portal events, with a maximum length; the other stores publish to it.
import { toTimestamp } from '../../../base/time.ts';
import { createId } from '../../ids.ts';
import type { PortalEventJson } from '../../../protocol/records.ts';
import type { Row, SqliteDatabase } from './database.ts';
import { type Condition, integer, jsonObject, readPage, text, where } from './rows.ts';
import type { NewPortalEvent, PortalEventFilter, PortalEventStore } from '../store.ts';

/** Publishes within the current transaction and returns the event's id. */
export type Publish = (event: NewPortalEvent & { readonly id?: string }) => string;

/** `maximum` is the number of events to keep. */
export function createPublish(database: SqliteDatabase, maximum: number): Publish {
  return ({ type, data, sourceId, id = createId('evt') }) => {
    if (sourceId !== undefined) {
      const known = database.get('SELECT id FROM portal_events WHERE source_id = ?', sourceId);
      if (known) return text(known, 'id');
    }
    const workflowId = data['workflowId'];
    const row = database.get(
      `INSERT INTO portal_events (id, source_id, type, workflow_id, timestamp, data)
       VALUES (?, ?, ?, ?, ?, ?) RETURNING position`,
      id,
      sourceId ?? null,
      type,
      typeof workflowId === 'string' ? workflowId : null,
      toTimestamp(database.now()),
      JSON.stringify(data),
    );
    if (row)
      database.run('DELETE FROM portal_events WHERE position <= ?', integer(row, 'position') - maximum);
    database.announce('portalEvents');
    return id;
  };
}

export function createPortalEventStore(database: SqliteDatabase, publish: Publish): PortalEventStore {
  return {
    append: (event) => Promise.resolve(database.transaction(() => publish(event))),
    list: (filter, page) =>
      Promise.resolve(
        readPage(database, 'SELECT * FROM portal_events', conditionsOf(filter), page, toPortalEvent),
      ),
    listAfter: (filter, position, limit) => {
      const { sql, values } = where([...conditionsOf(filter), ['position > ?', position]]);
      const { rows, hasMore } = database.page(
        `SELECT * FROM portal_events ${sql} ORDER BY position LIMIT ?`,
        limit,
        ...values,
      );
      const items = rows.map((row) => ({ position: integer(row, 'position'), event: toPortalEvent(row) }));
      return Promise.resolve({ items, hasMore });
    },
    findPosition: (id) => {
      const row = database.get('SELECT position FROM portal_events WHERE id = ?', id);
      return Promise.resolve(row && integer(row, 'position'));
    },
    range: () => {
      const row = database.get(
        `SELECT coalesce((SELECT min(position) FROM portal_events), 0) AS first,
           coalesce((SELECT max(position) FROM portal_events), 0) AS last`,
      );
      return Promise.resolve(
        row ? { first: integer(row, 'first'), last: integer(row, 'last') } : { first: 0, last: 0 },
      );
    },
  };
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
