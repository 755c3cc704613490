// The parts of a query, with their places.
import { nearestWords } from '../../base/nearestWords.ts';

/** What can be named in a query, before a colon. */
export const searchNames = [
  'status',
  'workflow',
  'error',
  'node',
  'after',
  'before',
  'longer',
  'kind',
] as const;
export type SearchName = (typeof searchNames)[number];

/** A part of a query, from `start` to `end`: a value with or without a name. */
export interface SearchTerm {
  readonly start: number;
  readonly end: number;
  /** null: a part of the text that is searched for. */
  readonly name: SearchName | null;
  /** The name that was probably meant by another word before a colon. */
  readonly nearest?: SearchName;
  /** Without quotation marks. */
  readonly value: string;
  /** False where the quotation mark at the end is missing. */
  readonly isClosed: boolean;
}

const namePattern = /([a-z]+):/iy;
const wordPattern = /\S+/y;
const spacePattern = /\s*/y;
/** Within quotation marks, a backslash stands before one, and before itself. */
const quotedPattern = /"((?:[^"\\]|\\[^])*)("?)/y;

function matchAt(pattern: RegExp, text: string, index: number): RegExpExecArray | null {
  pattern.lastIndex = index;
  return pattern.exec(text);
}

/** Splits a query at its spaces. Quotation marks at the beginning of a value keep spaces together, and make a text of what looks like a name. */
export function splitSearch(query: string): readonly SearchTerm[] {
  const terms: SearchTerm[] = [];
  let index = 0;
  for (;;) {
    index += matchAt(spacePattern, query, index)?.[0].length ?? 0;
    if (index >= query.length) return terms;
    const term = termAt(query, index);
    terms.push(term);
    index = term.end;
  }
}

function termAt(query: string, start: number): SearchTerm {
  const [written = '', word = ''] = matchAt(namePattern, query, start) ?? [];
  const name = searchNames.find((each) => each === word.toLowerCase()) ?? null;
  const valueStart = name === null ? start : start + written.length;
  const quoted = matchAt(quotedPattern, query, valueStart);
  if (quoted !== null) {
    const [whole, inside = '', end] = quoted;
    const value = inside.replace(/\\(["\\])/g, '$1');
    return { start, end: valueStart + whole.length, name, value, isClosed: end === '"' };
  }
  const value = matchAt(wordPattern, query, valueStart)?.[0] ?? '';
  const nearest = name === null && word !== '' ? nearestName(word, value) : undefined;
  const ends = { start, end: valueStart + value.length };
  return { ...ends, name, ...(nearest !== undefined && { nearest }), value, isClosed: true };
}

function nearestName(word: string, value: string): SearchName | undefined {
  // An address is a text.
  if (value.startsWith(`${word}://`)) return undefined;
  const [nearest, ...others] = nearestWords(word, searchNames);
  return others.length > 0 ? undefined : searchNames.find((each) => each === nearest);
}

/** Writes a value so that it's read as one. */
export function writeValue(value: string): string {
  return /^[^\s"]+$/.test(value) ? value : `"${value.replace(/["\\]/g, '\\$&')}"`;
}

/** Adds criteria to a query, as if they were written there. */
export function withCriteria(
  query: string,
  criteria: Readonly<Partial<Record<SearchName, string | undefined>>>,
): string {
  const added = searchNames.flatMap((name) => {
    const value = criteria[name];
    return value === undefined ? [] : [`${name}:${writeValue(value)}`];
  });
  return [...added, query].join(' ');
}
