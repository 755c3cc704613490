// Finds executions by their start time. Lists are ordered by position, which the start times nearly follow: an index has the start times
// of each block of 1,024 positions, so that the blocks before and after a time are skipped without reading their executions.
import type { SqlDatabase } from './database.ts';
import { type Condition, nullableInteger, type PageQuery } from './rows.ts';

/** ISO timestamps, exclusive. */
export interface StartTimes {
  readonly startedAfter?: string | undefined;
  readonly startedBefore?: string | undefined;
}

/** As in the index executions_started: an execution's block is `position >> blockBits`. */
const blockBits = 10;
/** Before and after all ISO timestamps. */
const earliest = '';
const latest = '~';

const firstBlock = `(SELECT min(position) FROM executions) >> ${blockBits}`;
const lastBlock = `(SELECT max(position) FROM executions WHERE position < ?) >> ${blockBits}`;
/** The order makes PostgreSQL use the index, even if it expects that any row matches. */
const hasNoStart = `(SELECT 1 FROM executions
  WHERE position >> ${blockBits} = block AND started_at > ? AND started_at < ? ORDER BY started_at LIMIT 1) IS NULL`;
const outermostBlocks = `WITH RECURSIVE
  newest (block) AS (SELECT ${lastBlock}
    UNION ALL SELECT block - 1 FROM newest WHERE block > ${firstBlock} AND ${hasNoStart}),
  oldest (block) AS (SELECT ${firstBlock}
    UNION ALL SELECT block + 1 FROM oldest WHERE block < (SELECT min(block) FROM newest) AND ${hasNoStart})
  SELECT (SELECT max(block) FROM oldest) AS oldest, (SELECT min(block) FROM newest) AS newest`;

/** Returns the conditions on the position that all executions of the query meet. */
export async function boundsOfStarts(
  database: SqlDatabase,
  { startedAfter, startedBefore, before = Number.MAX_SAFE_INTEGER }: StartTimes & Pick<PageQuery, 'before'>,
): Promise<readonly Condition[]> {
  if (startedAfter === undefined && startedBefore === undefined) return [];
  const times = [startedAfter ?? earliest, startedBefore ?? latest];
  const row = await database.get(outermostBlocks, before, ...times, ...times);
  const oldest = row && nullableInteger(row, 'oldest');
  const newest = row && nullableInteger(row, 'newest');
  if (typeof oldest !== 'number' || typeof newest !== 'number') return [];
  return [
    ['position >= ?', oldest * 2 ** blockBits],
    ['position < ?', (newest + 1) * 2 ** blockBits],
  ];
}
