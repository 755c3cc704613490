// Where no response names the next page, but numbers say that there is one: by which parameter it's asked for, and what is known by then.
import type { JsonObject } from '../../base/json.ts';
import { anyOf, type Names, pick, pickNumber } from './fields.ts';

type PageParameter = 'offset' | 'page';

/** What is known of a list before its first page. */
export interface FirstGuess {
  /** The parameters to try, in order; empty where the service is known to have none. Default: by what the response says. */
  readonly parameters?: readonly PageParameter[] | undefined;
  /** The number of the second page, where the response doesn't number the first. Default: not known; tries 2 first. */
  readonly secondPage?: 1 | 2 | undefined;
  /** The number of rows that come before those asked for, as far as known. */
  readonly skipped?: number | undefined;
}

/** The rows of a page: how many there are, and what identifies them, first row first. */
export interface PageRows {
  readonly count: number;
  readonly marks: readonly string[];
}

interface Guess {
  readonly parameter: PageParameter;
  readonly value: number;
  readonly limit: string | null;
  /** Rows and pages before the guessed page. */
  readonly rows: number;
  readonly pages: number;
  /** What identifies the first row of the list, and of the page before. */
  readonly first: string;
  readonly previous: string;
  /** True if the parameter has led to another page before. */
  readonly isProven: boolean;
  /** True if the service counts its pages from a number that isn't known. */
  readonly mayCountFromZero: boolean;
  readonly isLast: boolean;
  /** The guess if the service doesn't know this parameter. */
  readonly other?: readonly [PageParameter, number] | undefined;
}

function toCursor(guess: Guess): string {
  const { parameter, value, limit, rows, pages, first, previous, other } = guess;
  const query = new URLSearchParams({ [parameter]: String(value) });
  // The number of a page means something only with the size of the pages before.
  if (parameter === 'page' && limit !== null) query.set('limit', limit);
  const known = new URLSearchParams({ rows: String(rows), pages: String(pages), first, previous });
  if (limit !== null) known.set('limit', limit);
  if (guess.isProven) known.set('proven', '');
  if (guess.mayCountFromZero) known.set('zero', '');
  if (guess.isLast) known.set('last', '');
  if (other !== undefined) known.set(other[0], String(other[1]));
  return `?${query.toString()}#${known.toString()}`;
}

const numberOf = (text: string | null): number | undefined => (text === null ? undefined : Number(text));

function otherOf(known: URLSearchParams): Guess['other'] {
  const [offset, page] = [numberOf(known.get('offset')), numberOf(known.get('page'))];
  if (offset !== undefined) return ['offset', offset];
  return page === undefined ? undefined : ['page', page];
}

/** Returns the guess in a cursor; undefined for any other cursor. */
function readGuess(cursor: string | undefined): Guess | undefined {
  const at = cursor?.startsWith('?') === true ? cursor.indexOf('#') : -1;
  if (cursor === undefined || at < 0) return undefined;
  const query = new URLSearchParams(cursor.slice(0, at));
  const known = new URLSearchParams(cursor.slice(at + 1));
  const parameter = query.has('offset') ? 'offset' : 'page';
  return {
    parameter,
    value: Number(query.get(parameter)),
    limit: known.get('limit'),
    rows: Number(known.get('rows')),
    pages: Number(known.get('pages')),
    first: known.get('first') ?? '',
    previous: known.get('previous') ?? '',
    isProven: known.has('proven'),
    mayCountFromZero: known.has('zero'),
    isLast: known.has('last'),
    other: otherOf(known),
  };
}

const places = ['', 'pagination.', 'meta.', 'page.', 'pageInfo.', 'meta.pagination.', 'meta.page.'];
const everywhere = (...names: readonly string[]): Names =>
  anyOf(...places.flatMap((place) => names.map((name) => `${place}${name}`)));

const names = {
  /** "count" may also be the number of rows on this page, which isn't larger than what has come. */
  total: everywhere(
    ...['total', 'totalCount', 'totalEntries', 'totalElements', 'totalItems', 'totalResults'],
    ...['totalRecords', 'totalRows', 'totalHits', 'count'],
  ),
  pages: everywhere('totalPages', 'pages', 'pageCount', 'lastPage'),
  page: [...everywhere('page', 'currentPage', 'pageNumber'), ...anyOf('page.number', 'number')],
  offset: everywhere('offset'),
  hasMore: everywhere('hasMore'),
} satisfies Record<string, Names>;

/** Returns the largest number of rows or pages among the names; 0 when none makes sense. */
function largest(records: readonly JsonObject[], among: Names): number {
  const counts = records.flatMap((record) => among.map((name) => pickNumber(record, [name]) ?? 0));
  return Math.max(0, ...counts.filter((count) => Number.isSafeInteger(count)));
}

function named(records: readonly JsonObject[], among: Names): number | null {
  const numbers = records.map((record) => pickNumber(record, among));
  return numbers.find((number) => number !== null && Number.isSafeInteger(number) && number >= 0) ?? null;
}

interface Numbers {
  readonly total: number;
  readonly pages: number;
  readonly page: number | null;
  readonly offset: number | null;
  readonly hasMore: boolean;
}

function numbersOf(records: readonly JsonObject[], totalHeader: string | null): Numbers {
  return {
    total: largest([...records, { total: totalHeader }], names.total),
    pages: largest(records, names.pages),
    page: named(records, names.page),
    offset: named(records, names.offset),
    hasMore: records.some((record) => pick(record, names.hasMore) === true),
  };
}

/** The parameters that the response names, then the others. */
function parametersFor({ page, offset, pages, total }: Numbers, rows: number): readonly PageParameter[] {
  const byNumber = offset === null && (page !== null || (pages > 1 && total <= rows));
  return byNumber ? ['page', 'offset'] : ['offset', 'page'];
}

/** The request that returned a page, and what is known beside its body. */
export interface PageReading {
  /** The page's address. */
  readonly url: string;
  /** The requested cursor, if any. */
  readonly cursor: string | undefined;
  /** The number of all rows, where the header of a bare array says it. */
  readonly totalHeader?: string | null;
  /** How the page after the first is asked for where the response names none. */
  readonly guess?: FirstGuess;
}

/**
 * Returns the cursor of a page that numbers say there is, else null. `records`: where the response may have put the numbers. A page behind
 * a token or an address is the last one without another token: what has come before it isn't known.
 */
export function guessedPage(
  records: readonly JsonObject[],
  { count, marks }: PageRows,
  { url, cursor, totalHeader = null, guess = {} }: PageReading,
): string | null {
  const asked = readGuess(cursor);
  if (asked === undefined ? cursor !== undefined : asked.isLast) return null;
  const numbers = numbersOf(records, totalHeader);
  const rows = (asked?.rows ?? numbers.offset ?? 0) + count;
  const pages = asked === undefined ? Math.max(1, numbers.page ?? 1) : asked.pages + 1;
  const { skipped = 0 } = guess;
  const came = rows + (skipped < numbers.total ? skipped : 0);
  if (numbers.total <= came && numbers.pages <= pages && !numbers.hasMore) return null;
  const previous = marks[0] ?? '';
  if (asked !== undefined) {
    const value = asked.parameter === 'offset' ? rows : Math.max(numbers.page ?? 0, asked.value) + 1;
    return toCursor({ ...asked, value, rows, pages, previous, isProven: true });
  }
  const values = { offset: rows, page: numbers.page === null ? (guess.secondPage ?? 2) : numbers.page + 1 };
  const [parameter, other] = guess.parameters ?? parametersFor(numbers, rows);
  if (parameter === undefined) return null;
  return toCursor({
    parameter,
    value: values[parameter],
    limit: new URL(url).searchParams.get('limit'),
    rows,
    pages,
    first: previous,
    previous,
    isProven: false,
    mayCountFromZero: numbers.page === null && guess.secondPage === undefined,
    isLast: false,
    other: other && [other, values[other]],
  });
}

/** What came of a guess: rows that weren't there before, none, a page that was there before, or a refusal. */
export type GuessOutcome = 'new' | 'empty' | 'repeated' | 'refused';

/** Returns what came of the guess in a cursor; undefined where it has none. */
export function outcomeOf(cursor: string | undefined, { count, marks }: PageRows): GuessOutcome | undefined {
  const guess = readGuess(cursor);
  if (guess === undefined) return undefined;
  if (count === 0) return 'empty';
  const isRepeated =
    guess.first !== '' &&
    (marks.includes(guess.first) || (guess.previous !== '' && marks[0] === guess.previous));
  return isRepeated ? 'repeated' : 'new';
}

/** Returns the cursor to try after a guess that led nowhere; undefined when none is left, and the list ends. */
export function otherGuess(cursor: string, outcome: GuessOutcome): string | undefined {
  const guess = readGuess(cursor);
  if (guess === undefined || outcome === 'new') return undefined;
  const { isProven, other, mayCountFromZero, isLast, parameter } = guess;
  if (!isProven && outcome !== 'empty' && other !== undefined)
    return toCursor({ ...guess, parameter: other[0], value: other[1], other: undefined });
  // Where the first page has the number 0, the second one was left out.
  if (parameter === 'page' && mayCountFromZero && !isLast && outcome !== 'repeated')
    return toCursor({ ...guess, value: 1, isLast: true });
  return undefined;
}

/** Returns what a service has shown of its parameters by the response to a guess; undefined when nothing new. */
export function learned(cursor: string, outcome: GuessOutcome): Omit<FirstGuess, 'skipped'> | undefined {
  const guess = readGuess(cursor);
  if (guess === undefined || outcome === 'empty') return undefined;
  const { parameter, isProven, isLast } = guess;
  if (isLast) return { parameters: [parameter], secondPage: outcome === 'new' ? 1 : 2 };
  if (isProven) return undefined;
  if (outcome === 'new') return { parameters: [parameter], secondPage: guess.value === 1 ? 1 : undefined };
  return otherGuess(cursor, outcome) === undefined ? { parameters: [] } : undefined;
}
