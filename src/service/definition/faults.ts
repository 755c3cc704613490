// What is wrong with a definition or an input, told in few words however much there is.

/** A fault and its place, such as `nodes.2.config.url`. */
export interface Fault {
  readonly path: string;
  readonly message: string;
}

export interface Faults {
  /** The first 20. */
  readonly faults: readonly Fault[];
  /** How many more there are; null when they are too many to count. */
  readonly more: number | null;
}

/** How many are told. */
export const maximumFaults = 20;
/** A place and a reason may name what the author wrote. */
const maximumCharacters = 150;

/** The first 20 of all faults, each no longer than a person reads. count: how many there are. */
export function firstFaults(all: readonly Fault[], count = all.length): Faults {
  const faults = all.slice(0, maximumFaults).map(({ path, message }) => ({
    path: shorten(path),
    message: shorten(message),
  }));
  return { faults, more: count - faults.length };
}

/** All of them as sentences in one line; how many more comes last. */
export function joinFaults({ faults, more }: Faults): string {
  const told = faults.map(({ path, message }) => (path === '' ? message : `${path} ${message}`));
  return [...told, ...(more === 0 ? [] : [moreWords(more)])].join(' ');
}

/** How many faults are not told. */
export function moreWords(more: number | null): string {
  if (more === null) return 'There are many more.';
  return more === 1 ? 'There is 1 more.' : `There are ${more} more.`;
}

function shorten(text: string): string {
  return text.length <= maximumCharacters ? text : `${text.slice(0, maximumCharacters)}…`;
}
