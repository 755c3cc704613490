// Pages of executions that have a text in their values, or a duration or an error that no index of the database knows.
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { stringifyJson } from '../../../base/json.ts';
import { foldText } from '../../../domain/findText.ts';
import type { FoundPlace } from '../../../domain/search.ts';
import type { ExecutionSummaryJson, FoundPlaceJson } from '../../../protocol/records.ts';
import { pageCharacters, type SqlDatabase } from '../database.ts';
import { summaryColumns, toSummary } from '../executionRows.ts';
import { type Condition, integer, type PageQuery, type StorePage } from '../rows.ts';
import { findCandidates } from './candidates.ts';
import { readLogStarts, valueColumns } from './executionValues.ts';
import { findPlaces } from './findPlaces.ts';
import type { SearchIndex } from './searchIndex.ts';

/** What is searched for; undefined: any. */
export interface ExecutionSearch {
  readonly text?: string | undefined;
  /** Of ended executions. */
  readonly minDurationMs?: number | undefined;
  readonly errorCode?: string | undefined;
  /** The node that failed. */
  readonly nodeId?: string | undefined;
}

/** How long a page takes to be filled, in milliseconds, after which it's short: the next one goes on where it ended. */
const longestPageMs = 150;
/** However long they take, so many executions of a batch are looked through. */
const leastExamined = 16;

export class ExecutionSearches {
  readonly #database: SqlDatabase;
  readonly #index: SearchIndex;

  constructor(database: SqlDatabase, index: SearchIndex) {
    this.#database = database;
    this.#index = index;
  }

  /**
   * Returns executions that also meet the conditions, newest first: at most `limit`, and fewer, even none, where to find more would take
   * long.
   */
  async readPage(
    search: ExecutionSearch,
    conditions: readonly Condition[],
    { limit, before }: PageQuery,
  ): Promise<StorePage<ExecutionSummaryJson>> {
    const folded = search.text === undefined ? null : foldText(search.text);
    const candidates = findCandidates(this.#database, this.#index, {
      select: `SELECT ${summaryColumns}, ${valueColumns} FROM executions`,
      conditions: [...conditions, ...conditionsOf(search)],
      before,
      folded,
    });
    const page = new SearchPage(limit);
    for await (const { rows, reached } of candidates) {
      const starts = folded === null ? new Map() : await readLogStarts(this.#database, rows);
      for (const [at, row] of rows.entries()) {
        const execution = toSummary(row);
        if (!isWanted(execution, search)) continue;
        page.examine();
        const found = folded === null ? undefined : await findPlaces(this.#database, row, starts, folded);
        if (found?.length !== 0) page.add({ ...execution, ...(found && { found: found.map(toFound) }) });
        const isLast = reached === null && at === rows.length - 1;
        if (page.isOver && !isLast) return page.endAt(integer(row, 'position'));
      }
      if ((page.isFull || page.isLate) && reached !== null) return page.endAt(reached);
      await yieldToEventLoop();
    }
    return page.endAt(null);
  }
}

class SearchPage {
  readonly #items: ExecutionSummaryJson[] = [];
  readonly #limit: number;
  readonly #began = performance.now();
  #size = 0;
  #examined = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get isFull(): boolean {
    return this.#items.length === this.#limit || this.#size > pageCharacters;
  }

  /** Whether it has taken too long, though it may have looked through none: the conditions can leave out all. */
  get isLate(): boolean {
    return performance.now() - this.#began > longestPageMs;
  }

  /** Whether it ends within a batch. */
  get isOver(): boolean {
    return this.isFull || (this.#examined >= leastExamined && this.isLate);
  }

  /** Counts an execution that is looked through. */
  examine(): void {
    this.#examined += 1;
  }

  add(item: ExecutionSummaryJson): void {
    this.#items.push(item);
    this.#size += stringifyJson(item).length;
  }

  endAt(nextPosition: number | null): StorePage<ExecutionSummaryJson> {
    return { items: this.#items, nextPosition };
  }
}

/** What the database can check of a search. */
function conditionsOf({ minDurationMs, errorCode, nodeId }: ExecutionSearch): readonly Condition[] {
  return [
    ...(minDurationMs === undefined ? [] : [['completed_at > ?', ''] as const]),
    ...(errorCode === undefined && nodeId === undefined ? [] : [['status = ?', 'failed'] as const]),
  ];
}

function isWanted(
  { durationMs, error }: ExecutionSummaryJson,
  { minDurationMs, errorCode, nodeId }: ExecutionSearch,
): boolean {
  return (
    (minDurationMs === undefined || (durationMs !== null && durationMs >= minDurationMs)) &&
    (errorCode === undefined || error?.code === errorCode) &&
    (nodeId === undefined || error?.nodeId === nodeId)
  );
}

function toFound({ place, iteration, ...rest }: FoundPlace): FoundPlaceJson {
  return { in: place, ...rest, ...(iteration && { iteration: [...iteration] }) };
}
