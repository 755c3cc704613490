import { executionKinds, executionStatuses } from '../../domain/status.ts';
import { type SearchName, searchNames, type SearchTerm, splitSearch, writeValue } from './searchTerms.ts';

/** What is known of a service, to be proposed. */
export interface KnownValues {
  /** Names of workflows. */
  readonly workflows: readonly string[];
  readonly errorCodes: readonly string[];
  readonly nodeIds: readonly string[];
  /** Epoch milliseconds. */
  readonly now: number;
}

/** What may stand in place of a part of a query. */
export interface SearchProposal {
  /** The part that it replaces. */
  readonly start: number;
  readonly end: number;
  /** As it's written. A name ends with its colon. */
  readonly insert: string;
  readonly name: SearchName;
  /** null: the name itself is proposed. */
  readonly value: string | null;
}

/** Proposals of one kind at most: more are found by typing. */
const maximumProposals = 50;

/** Returns what can be written at an offset of a query: names of criteria, or values of the one that stands there. */
export function completeSearch(query: string, offset: number, known: KnownValues): readonly SearchProposal[] {
  const terms = splitSearch(query);
  const term = terms.find(({ start, end }) => start < offset && offset <= end);
  const place = { start: term?.start ?? offset, end: term?.end ?? offset };
  const typed = query.slice(place.start, offset).toLowerCase();
  const name = term?.name ?? null;
  if (name !== null && typed.length > name.length) return valuesOf(name, typed, place, known);
  const given = new Set(terms.filter((each) => each !== term).map(nameOf));
  return searchNames
    .filter((each) => each.startsWith(typed) && !given.has(each))
    .map((each) => ({ ...place, insert: `${each}:`, name: each, value: null }));
}

const nameOf = ({ name }: SearchTerm): SearchName | null => name;

function valuesOf(
  name: SearchName,
  typed: string,
  place: Pick<SearchProposal, 'start' | 'end'>,
  known: KnownValues,
): readonly SearchProposal[] {
  const begun = typed.slice(name.length + 1).replace(/^"|"$/g, '');
  const values = [...new Set(proposed(name, known))].filter((value) => value.toLowerCase().includes(begun));
  const first = values.filter((value) => value.toLowerCase().startsWith(begun));
  return [...new Set([...first, ...values])]
    .slice(0, maximumProposals)
    .map((value) => ({ ...place, insert: `${name}:${writeValue(value)}`, name, value }));
}

function proposed(name: SearchName, known: KnownValues): readonly string[] {
  switch (name) {
    case 'status':
      return executionStatuses;
    case 'kind':
      return executionKinds;
    case 'workflow':
      return known.workflows;
    case 'error':
      return known.errorCodes;
    case 'node':
      return known.nodeIds;
    case 'after':
    case 'before':
      return ['1h', '1d', '7d', 'today', 'yesterday', dateOf(known.now)];
    case 'longer':
      return ['1s', '10s', '1m', '10m', '1h'];
  }
}

/** "2026-11-28", here. */
function dateOf(now: number): string {
  const date = new Date(now);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
