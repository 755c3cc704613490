import type { Sql } from '../sql/database.ts';
import { integer, nullableText } from '../sql/rows.ts';

export interface UnfinishedCounts {
  readonly queued: number;
  readonly running: number;
  readonly waiting: number;
  /** Since when the oldest queued execution waits, in epoch milliseconds; null when none does. */
  readonly queuedSince: number | null;
}

/** Reads only the index of the states: what it costs grows with the unfinished executions, not with the ended ones. */
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
