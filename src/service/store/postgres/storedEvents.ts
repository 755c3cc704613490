import type { Sql } from '../sql/database.ts';
import { integer } from '../sql/rows.ts';

/** The portal events that are stored. */
export interface StoredEvents {
  readonly count: number;
  /** Of their data. */
  readonly bytes: number;
}

/** Reads a row of each event, but no large data; 10,000 take about 5 ms. */
export async function measureEvents(sql: Sql): Promise<StoredEvents> {
  const row = await sql.get(
    'SELECT count(*) AS count, coalesce(sum(octet_length(data)), 0) AS bytes FROM portal_events',
  );
  if (!row) throw new Error('The portal events could not be counted.');
  return { count: integer(row, 'count'), bytes: integer(row, 'bytes') };
}
