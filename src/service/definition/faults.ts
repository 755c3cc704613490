/** A fault and its path, such as `nodes.2.config.url`. */
export interface Fault {
  readonly path: string;
  readonly message: string;
}

export interface Faults {
  /** The first 20. */
  readonly faults: readonly Fault[];
  /** The number of further faults; null when there are too many to count. */
  readonly more: number | null;
}

/** How many faults are reported. */
export const maximumFaults = 20;
/** For a path and for a message, in UTF-16 units: both can contain authors' text. */
const maximumCharacters = 150;

/** Returns the first 20 faults with shortened texts. `count` is the number of all faults. */
export function firstFaults(all: readonly Fault[], count = all.length): Faults {
  const faults = all.slice(0, maximumFaults).map(({ path, message }) => ({
    path: shorten(path),
    message: shorten(message),
  }));
  return { faults, more: count - faults.length };
}

/** Joins the faults to one line of sentences; the number of further faults comes last. */
export function joinFaults({ faults, more }: Faults): string {
  const told = faults.map(({ path, message }) => (path === '' ? message : `${path} ${message}`));
  return [...told, ...(more === 0 ? [] : [moreWords(more)])].join(' ');
}

/** Returns the sentence about the faults that aren't reported. */
export function moreWords(more: number | null): string {
  if (more === null) return 'There are many more.';
  return more === 1 ? 'There is 1 more.' : `There are ${more} more.`;
}

function shorten(text: string): string {
  return text.length <= maximumCharacters ? text : `${text.slice(0, maximumCharacters)}…`;
}
