// What is wrong with a value, found by a schema or a check.
import { truncateText } from '../base/format.ts';

export interface Fault {
  /** Names of members and indexes of lists, the outermost first. */
  readonly path: readonly string[];
  /** A part of a sentence, such as "must be at least 2, not 1.5". */
  readonly message: string;
}

export interface Faults<F extends Fault = Fault> {
  /** The first 20. */
  readonly faults: readonly F[];
  /** The number of further faults; null when there are too many to count. */
  readonly more: number | null;
}

/** How many faults are reported. */
const maximumFaults = 20;
/** For a path and for a message, in UTF-16 units: both can contain authors' text. */
const maximumCharacters = 150;

/** Returns the first 20 faults with shortened messages. `more`: the number of faults that aren't among them. */
export function firstFaults<F extends Fault>(all: readonly F[], more: number | null = 0): Faults<F> {
  const faults = all
    .slice(0, maximumFaults)
    .map((fault) => ({ ...fault, message: truncateText(fault.message, maximumCharacters) }));
  return { faults, more: more === null ? null : all.length - faults.length + more };
}

/** Returns the path in the form for people and for the wire, such as `nodes.2.config.url`. */
export function writePath(path: readonly string[]): string {
  return truncateText(path.join('.'), maximumCharacters);
}

/** Joins the faults to one line of sentences; the number of further faults comes last. */
export function joinFaults({ faults, more }: Faults): string {
  const messages = faults.map(({ path, message }) =>
    path.length === 0 ? `${message}.` : `${writePath(path)} ${message}.`,
  );
  return [...messages, ...(more === 0 ? [] : [moreWords(more)])].join(' ');
}

/** Returns the sentence about the faults that aren't reported. */
export function moreWords(more: number | null): string {
  if (more === null) return 'There are many more.';
  return more === 1 ? 'There is 1 more.' : `There are ${more} more.`;
}
