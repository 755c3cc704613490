// The counts of stored records that metrics report.
import type { Sql } from '../database.ts';
import { integer, nullableText } from '../rows.ts';

export interface UnfinishedCounts {
  readonly queued: number;
  readonly running: number;
  readonly waiting: number;
  /** Since when the oldest queued execution has waited, in epoch milliseconds; null when none waits. */
  readonly queuedSince: number | null;
}

/** Reads only the index of the states: its cost grows with the unfinished executions, not with the ended ones. */
export async function countUnfinished(sql: Sql): Promise<UnfinishedCounts> {
  const count = (status: string): string => `(SELECT count(*) FROM executions WHERE status = '${status}')`;
  const row = await sql.get(
    `SELECT ${count('queued')} AS queued, ${count('running')} AS running, ${count('waiting')} AS waiting,
       (SELECT created_at FROM executions WHERE status = 'queued' ORDER BY position LIMIT 1) AS oldest`,
  );
  if (!row) throw new Error('The executions could not be counted.');
  const oldest = nullableText(row, 'oldest');
  return {
    queued: integer(row, 'queued'),
    running: integer(row, 'running'),
    waiting: integer(row, 'waiting'),
    queuedSince: oldest === null ? null : Date.parse(oldest),
  };
}

/** The stored portal events. */
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
