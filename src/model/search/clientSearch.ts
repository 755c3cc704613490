import type { ServicePort } from '../../api/servicePort.ts';
import { Breaks } from '../../base/slices.ts';
import type { Purpose } from '../../domain/budget.ts';
import { isServiceError, type ServiceErrorReason } from '../../domain/errors.ts';
import type { Execution } from '../../domain/execution.ts';
import type { CallOptions, ExecutionQuery, Page } from '../../domain/queries.ts';
import type { FoundPlace } from '../../domain/search.ts';
import { limits } from '../../protocol/operations.ts';
import { FoundPlaces } from './foundPlaces.ts';
import { SearchedDetails } from './searchedDetails.ts';
import { type SearchedRecord, type SearchedText, type SearchedTexts, sizeOfText } from './searchedTexts.ts';
import { needsDetails, passesList, type ResolvedFilter, toListQuery } from './searchFilter.ts';
import { maximumFound, type SearchStep, type SearchWork } from './searchWork.ts';

export interface ClientSearchDeps {
  readonly connectionId: string;
  readonly filter: ResolvedFilter;
  /** Reads a page of the list. */
  readonly list: (query: ExecutionQuery, options: CallOptions) => Promise<Page<Execution>>;
  readonly reads: ServicePort['executions'];
  readonly texts: SearchedTexts;
}

/** Pages are read ahead, so that the number of all is known early: one for so many executions that were looked at. */
const lookedAtByPage = 5;
const maximumAhead = 1000;
/** How many records are decided by the list in one step. */
const decidedAtOnce = 1000;
/** Searching so many characters takes about 10 ms. */
const charactersAtOnce = 1024 * 1024;
/** So many records in a row that can't be read are a failure of all. */
const failuresInARow = 3;

/** Searches on this side what a service lists: a step is a page of the list, or what there is of one execution. */
export class ClientSearch implements SearchWork {
  readonly pageSize = maximumFound;
  readonly #deps: ClientSearchDeps;
  readonly #breaks = new Breaks(charactersAtOnce);
  readonly #listed = new Set<string>();
  /** Listed, and not looked at. */
  #waiting: Execution[] = [];
  readonly #cursors = new Set<string>();
  #cursor: string | null = null;
  #isWholeListed = false;
  #pages = 0;
  #searched = 0;
  #read = 0;
  #partlySearched = 0;
  #failures = 0;
  #since: Date | null = null;

  constructor(deps: ClientSearchDeps) {
    this.#deps = deps;
  }

  async next(signal: AbortSignal, purpose: Purpose): Promise<SearchStep> {
    const options = { signal, purpose };
    const found = this.#isPageDue() ? await this.#list(options) : await this.#look(options);
    return {
      found,
      progress: {
        searched: this.#searched,
        listed: this.#listed.size,
        isWholeListed: this.#isWholeListed,
        since: this.#since,
        partlySearched: this.#partlySearched,
      },
      isEnd: this.#isWholeListed && this.#waiting.length === 0,
    };
  }

  #isPageDue(): boolean {
    if (this.#isWholeListed) return false;
    const isAhead = this.#waiting.length >= maximumAhead || this.#pages * lookedAtByPage > this.#read;
    return this.#waiting.length === 0 || !isAhead;
  }

  async #list(options: CallOptions): Promise<readonly Execution[]> {
    const query = {
      ...toListQuery(this.#deps.filter),
      limit: limits.maximumPageSize,
      ...(this.#cursor !== null && { cursor: this.#cursor }),
    };
    const { items, nextCursor } = await this.#deps.list(query, options);
    this.#isWholeListed = nextCursor === null || this.#cursors.has(nextCursor);
    if (nextCursor !== null) this.#cursors.add(nextCursor);
    this.#cursor = nextCursor;
    this.#pages += 1;
    for (const execution of items) {
      if (this.#listed.has(execution.id)) continue;
      this.#listed.add(execution.id);
      this.#waiting.push(execution);
    }
    return this.#decide();
  }

  /** Takes those that need nothing but their record in the list. */
  #decide(): readonly Execution[] {
    const { filter } = this.#deps;
    const found: Execution[] = [];
    let count = 0;
    for (const execution of this.#waiting) {
      if (count >= decidedAtOnce || this.#needsLook(execution)) break;
      if (passesList(execution, filter)) found.push(execution);
      this.#note(execution);
      count += 1;
    }
    this.#waiting = this.#waiting.slice(count);
    return found;
  }

  #needsLook(execution: Execution): boolean {
    const { filter } = this.#deps;
    return passesList(execution, filter) && needsDetails(execution, filter);
  }

  async #look(options: CallOptions): Promise<readonly Execution[]> {
    const [execution] = this.#waiting;
    if (execution === undefined || !this.#needsLook(execution)) return this.#decide();
    const found = await this.#lookInto(execution, options);
    this.#waiting = this.#waiting.slice(1);
    this.#note(execution);
    return [...(found === undefined ? [] : [found]), ...this.#decide()];
  }

  #note({ startedAt, createdAt }: Execution): void {
    this.#searched += 1;
    this.#since = startedAt ?? createdAt ?? this.#since;
  }

  async #lookInto(execution: Execution, options: CallOptions): Promise<Execution | undefined> {
    const { connectionId, texts } = this.#deps;
    const isKept = execution.status.isTerminal;
    const target = { connectionId, executionId: execution.id };
    const known = isKept ? texts.get(target) : undefined;
    if (known !== undefined) return this.#lookAgain(execution, known);
    try {
      const found = await this.#readAndLook(execution, options);
      this.#failures = 0;
      return found;
    } catch (error) {
      if (options.signal?.aborted === true || !isServiceError(error) || !ofRecord.has(error.reason.kind))
        throw error;
      this.#failures += 1;
      if (this.#failures >= failuresInARow) {
        this.#failures = 0;
        throw error;
      }
      this.#partlySearched += 1;
      return undefined;
    }
  }

  async #lookAgain(execution: Execution, record: SearchedRecord): Promise<Execution | undefined> {
    const { text } = this.#deps.filter;
    const places = text === null ? undefined : new FoundPlaces(text);
    for (const each of record.texts) {
      places?.look(each);
      await this.#breaks.take(each.json.length);
    }
    return this.#judge(execution, record, places?.all);
  }

  async #readAndLook(execution: Execution, options: CallOptions): Promise<Execution | undefined> {
    const { connectionId, filter, reads, texts } = this.#deps;
    const places = filter.text === null ? undefined : new FoundPlaces(filter.text);
    const details = new SearchedDetails(reads, execution, options);
    const kept: SearchedText[] = [];
    let bytes = 0;
    for await (const each of details.texts()) {
      places?.look(each);
      bytes += sizeOfText(each);
      if (bytes <= texts.largestRecord) kept.push(each);
      else kept.length = 0;
      await this.#breaks.take(each.json.length);
    }
    this.#read += 1;
    if (!details.isWhole) this.#partlySearched += 1;
    const { error, failedNodes } = details;
    const record = { texts: kept, error, failedNodes };
    if (execution.status.isTerminal && details.isWhole && bytes <= texts.largestRecord)
      texts.set(
        { connectionId, executionId: execution.id },
        execution.startedAt ?? execution.createdAt,
        record,
      );
    return this.#judge(execution, record, places?.all);
  }

  #judge(
    execution: Execution,
    { error, failedNodes }: SearchedRecord,
    found: readonly FoundPlace[] | undefined,
  ): Execution | undefined {
    const { errorCode, nodeId } = this.#deps.filter;
    if (found?.length === 0) return undefined;
    if (errorCode !== null && error?.code !== errorCode) return undefined;
    const isNode =
      error?.nodeId === null || error === null ? failedNodes.includes(nodeId ?? '') : error.nodeId === nodeId;
    if (nodeId !== null && !isNode) return undefined;
    return { ...execution, error, ...(found !== undefined && { found }) };
  }
}

/** Failures that the next record may not have. */
const ofRecord: ReadonlySet<ServiceErrorReason['kind']> = new Set([
  'unavailable',
  'unreadable',
  'noList',
  'tooLarge',
  'forbidden',
  'invalid',
  'gap',
]);
