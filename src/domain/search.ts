import type { ExecutionKind, RunState } from './status.ts';

/** The parts of an execution whose values are searched. nodeRun: input, output, message, request and response of one. */
export const searchedParts = ['input', 'output', 'error', 'nodeRun'] as const;
export type SearchedPart = (typeof searchedParts)[number];

/** Where a text was found in an execution. */
export interface FoundPlace {
  readonly place: SearchedPart;
  readonly nodeId?: string;
  /** Of each enclosing loop, outermost first, from 0; missing outside loops. */
  readonly iteration?: readonly number[];
  /** Of the value in the part, such as `invoice.lines[2].id`; missing where the part itself is the value. */
  readonly path?: string;
  /** The text with what stands around it. */
  readonly excerpt: string;
}

/** How many places of an execution are told. */
export const maximumPlaces = 3;

/** The shortest and the longest text that is searched for, in characters. */
export const searchedText = { shortest: 2, longest: 200 } as const;

/** What is wanted of an execution. null, and no status: any. */
export interface SearchFilter {
  readonly text: string | null;
  readonly statuses: readonly RunState[];
  /** The name or the id, as written. */
  readonly workflow: string | null;
  readonly errorCode: string | null;
  /** Of the node that failed. */
  readonly nodeId: string | null;
  readonly after: Date | null;
  readonly before: Date | null;
  readonly longerMs: number | null;
  readonly kind: ExecutionKind | null;
}

type SearchMistakeKind =
  | 'nothing'
  | 'tooLong'
  | 'unclosedQuote'
  | 'unknownName'
  | 'missingValue'
  | 'repeated'
  | 'unknownStatus'
  | 'unknownKind'
  | 'unreadableTime'
  | 'unreadableDuration'
  /** What is after one time isn't before the other. */
  | 'noTimeBetween'
  | 'textTooShort'
  | 'textTooLong';

/** What is wrong with a part of what was written to search. `nearest`: what was probably meant. */
export interface SearchMistake {
  readonly start: number;
  readonly end: number;
  readonly kind: SearchMistakeKind;
  readonly nearest?: string;
}
