// What is written to search executions: free text, and criteria such as `status:failed` (contract section 9).
import { nearestWords } from '../../base/nearestWords.ts';
import type { Clock } from '../../base/time.ts';
import { SearchError } from '../../domain/errors.ts';
import { searchedText, type SearchFilter, type SearchMistake } from '../../domain/search.ts';
import { executionKinds, executionStatuses } from '../../domain/status.ts';
import { readDuration, readTime } from './searchTimes.ts';
import { type SearchTerm, splitSearch } from './searchTerms.ts';

export interface ParsedSearch {
  /** Without the parts that are wrong. */
  readonly filter: SearchFilter;
  /** By their places. */
  readonly mistakes: readonly SearchMistake[];
}

/** The longest query, in UTF-16 units. */
const longestQuery = 2000;

type Criteria = { -readonly [Name in keyof SearchFilter]: SearchFilter[Name] };

const noCriteria: SearchFilter = {
  text: null,
  statuses: [],
  workflow: null,
  errorCode: null,
  nodeId: null,
  after: null,
  before: null,
  longerMs: null,
  kind: null,
};

type Problem = Pick<SearchMistake, 'kind' | 'nearest'>;

/** Reads a query. Times such as `1d` count back from now; dates are those of this machine's time zone. */
export function parseSearch(query: string, clock: Pick<Clock, 'now'>): ParsedSearch {
  if (query.length > longestQuery)
    return { filter: noCriteria, mistakes: [{ start: longestQuery, end: query.length, kind: 'tooLong' }] };
  const terms = splitSearch(query);
  const criteria: Criteria = { ...noCriteria };
  const mistakes: SearchMistake[] = [];
  const given = new Set<string>();
  for (const term of terms) {
    const { name, start, end } = term;
    const problem = name !== null && given.has(name) ? repeated : readTerm(term, criteria, clock.now());
    if (problem !== undefined) mistakes.push({ start, end, ...problem });
    if (name !== null) given.add(name);
  }
  mistakes.push(...readText(terms, criteria), ...checkTimes(terms, criteria));
  if (terms.length === 0) mistakes.push({ start: 0, end: query.length, kind: 'nothing' });
  return { filter: criteria, mistakes: mistakes.toSorted((one, other) => one.start - other.start) };
}

/** The same where nobody corrects it. Throws a SearchError with what is wrong. */
export function readSearch(query: string, clock: Pick<Clock, 'now'>): SearchFilter {
  const { filter, mistakes } = parseSearch(query, clock);
  if (mistakes.length === 0) return filter;
  throw new SearchError({ kind: 'mistakes', query, mistakes }, 'The query has mistakes.');
}

const repeated: Problem = { kind: 'repeated' };

function readTerm(term: SearchTerm, criteria: Criteria, now: number): Problem | undefined {
  const { name, value, isClosed } = term;
  if (!isClosed) return { kind: 'unclosedQuote' };
  if (name === null) return term.nearest === undefined ? undefined : unknownName(term.nearest);
  if (value.trim() === '') return { kind: 'missingValue' };
  switch (name) {
    case 'status':
      return readStatuses(value, criteria);
    case 'workflow':
      criteria.workflow = value;
      return undefined;
    case 'error':
      criteria.errorCode = value;
      return undefined;
    case 'node':
      criteria.nodeId = value;
      return undefined;
    case 'after':
    case 'before': {
      const time = readTime(value, now);
      if (time === undefined) return { kind: 'unreadableTime' };
      criteria[name] = time;
      return undefined;
    }
    case 'longer': {
      const duration = readDuration(value);
      if (duration === undefined) return { kind: 'unreadableDuration' };
      criteria.longerMs = duration;
      return undefined;
    }
    case 'kind': {
      const kind = wordIn(executionKinds, value);
      if (kind === undefined) return { kind: 'unknownKind', ...nearestOf(value, executionKinds) };
      criteria.kind = kind;
      return undefined;
    }
  }
}

const unknownName = (nearest: string): Problem => ({ kind: 'unknownName', nearest });

/** Several are separated by commas. */
function readStatuses(value: string, criteria: Criteria): Problem | undefined {
  for (const word of value.split(',')) {
    const status = wordIn(executionStatuses, word.trim());
    if (status === undefined) return { kind: 'unknownStatus', ...nearestOf(word, executionStatuses) };
    if (!criteria.statuses.includes(status)) criteria.statuses = [...criteria.statuses, status];
  }
  return undefined;
}

function wordIn<T extends string>(words: readonly T[], written: string): T | undefined {
  return words.find((word) => word === written.toLowerCase());
}

function nearestOf(written: string, words: readonly string[]): { readonly nearest?: string } {
  const [nearest, ...others] = nearestWords(written, words);
  return nearest === undefined || others.length > 0 ? {} : { nearest };
}

/** What has no name is one text, its parts joined by spaces. */
function readText(terms: readonly SearchTerm[], criteria: Criteria): readonly SearchMistake[] {
  const parts = terms.filter(
    ({ name, nearest, isClosed }) => name === null && nearest === undefined && isClosed,
  );
  const [first, last] = [parts[0], parts.at(-1)];
  if (first === undefined || last === undefined) return [];
  const text = parts.map(({ value }) => value).join(' ');
  const place = { start: first.start, end: last.end };
  if (Array.from(text.trim()).length < searchedText.shortest) return [{ ...place, kind: 'textTooShort' }];
  if (Array.from(text).length > searchedText.longest) return [{ ...place, kind: 'textTooLong' }];
  criteria.text = text;
  return [];
}

function checkTimes(terms: readonly SearchTerm[], { after, before }: Criteria): readonly SearchMistake[] {
  const last = terms.findLast(({ name }) => name === 'after' || name === 'before');
  if (last === undefined || after === null || before === null || after < before) return [];
  return [{ start: last.start, end: last.end, kind: 'noTimeBetween' }];
}
