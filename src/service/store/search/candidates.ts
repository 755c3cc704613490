// The executions among which a page of a search is found, newest first.
import type { SqlDatabase, SqlRow } from '../database.ts';
import { unfinishedStatuses } from '../../../domain/status.ts';
import { type Condition, integer, repeatedly, where } from '../rows.ts';
import { shortestIndexed, type SearchIndex } from './searchIndex.ts';

/** How many executions are looked at at a time. */
const batchSize = 32;
/** How many positions are asked for at a time. */
const positionsAtOnce = 256;

/** The end of all lists: every position is before it. */
const newest = Number.MAX_SAFE_INTEGER;

export interface CandidateBatch {
  readonly rows: readonly SqlRow[];
  /** The position before which none has been looked at; null at the end. */
  readonly reached: number | null;
}

export interface CandidateQuery {
  /** The start of a SELECT from executions. */
  readonly select: string;
  readonly conditions: readonly Condition[];
  readonly before: number | undefined;
  /** null: any execution. */
  readonly folded: string | null;
}

/** Returns batches of executions that meet the conditions and may have the text. */
export async function* findCandidates(
  database: SqlDatabase,
  index: SearchIndex,
  { select, conditions, before = newest, folded }: CandidateQuery,
): AsyncGenerator<CandidateBatch> {
  const isIndexed =
    folded !== null && Array.from(folded).length >= shortestIndexed && (await index.isAvailable(database));
  if (!isIndexed) {
    yield* readAll(database, select, conditions, before);
    return;
  }
  let reached: number | null = before;
  while (reached !== null) {
    const proposed = await proposePositions(database, index, folded, reached);
    for (let first = 0; first < proposed.positions.length; first += batchSize) {
      const some = proposed.positions.slice(first, first + batchSize);
      const last = first + batchSize >= proposed.positions.length;
      yield {
        rows: await readSome(database, select, conditions, some),
        reached: last ? proposed.reached : (some.at(-1) ?? null),
      };
    }
    reached = proposed.reached;
  }
}

async function* readAll(
  database: SqlDatabase,
  select: string,
  conditions: readonly Condition[],
  before: number,
): AsyncGenerator<CandidateBatch> {
  let reached: number | null = before;
  while (reached !== null) {
    const filter = where([...conditions, ['position < ?', reached]]);
    const { rows, hasMore } = await database.page(
      `${select} ${filter.sql} ORDER BY position DESC LIMIT ?`,
      batchSize,
      ...filter.values,
    );
    const last = rows.at(-1);
    reached = hasMore && last ? integer(last, 'position') : null;
    yield { rows, reached };
  }
}

async function readSome(
  database: SqlDatabase,
  select: string,
  conditions: readonly Condition[],
  positions: readonly number[],
): Promise<readonly SqlRow[]> {
  // One statement for every number of positions.
  const all = Array.from({ length: batchSize }, (_none, at) => positions[at] ?? positions.at(-1) ?? 0);
  const filter = where(conditions);
  return database.all(
    `${select} ${filter.sql === '' ? 'WHERE' : `${filter.sql} AND`} position IN (${repeatedly('?', batchSize)})
     ORDER BY position DESC`,
    ...filter.values,
    ...all,
  );
}

/** Those that no index has yet: some ended a moment ago, or before there was one. */
const unindexed = `SELECT position FROM (
  ${['search_queue', ...unfinishedStatuses.map((status) => `executions WHERE status = '${status}'`)]
    .map(
      (from, at) =>
        `SELECT position FROM (SELECT position FROM ${from} ${at === 0 ? 'WHERE' : 'AND'} position < ?
           ORDER BY position DESC LIMIT ${positionsAtOnce}) AS some_${at}`,
    )
    .join(' UNION ALL ')}
  ) AS unindexed ORDER BY position DESC LIMIT ${positionsAtOnce}`;

/** Returns the positions, newest first, and the one before which there may be more; null for none. */
async function proposePositions(
  database: SqlDatabase,
  index: SearchIndex,
  folded: string,
  before: number,
): Promise<{ readonly positions: readonly number[]; readonly reached: number | null }> {
  // In this order: meanwhile, some may go from the queue into the index.
  const rows = await database.all(unindexed, before, ...unfinishedStatuses.map(() => before));
  const waiting = rows.map((row) => integer(row, 'position'));
  const proposed = await index.propose(database, folded, before, positionsAtOnce);
  // Of a list that isn't complete, nothing is known before its last one.
  const ends = [waiting, proposed].map((list) => (list.length < positionsAtOnce ? 0 : (list.at(-1) ?? 0)));
  const reached = Math.max(...ends);
  const positions = [...new Set([...waiting, ...proposed])]
    .filter((position) => position >= reached)
    .sort((one, other) => other - one);
  return { positions, reached: reached === 0 ? null : reached };
}
