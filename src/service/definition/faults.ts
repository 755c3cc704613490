// What is wrong with a definition or an input, told in few words however much there is.

/** A fault and its place, such as `nodes.2.config.url`. */
export interface Fault {
  readonly path: string;
  readonly message: string;
}

export interface Faults {
  /** The first 20. */
  readonly faults: readonly Fault[];
  /** How many more there are. */
  readonly more: number;
}

const maximumFaults = 20;
/** A place and a reason may name what the author wrote. */
const maximumCharacters = 300;

/** The first 20 of all faults, each no longer than a person reads. */
export function firstFaults(all: readonly Fault[]): Faults {
  const faults = all.slice(0, maximumFaults).map(({ path, message }) => ({
    path: shorten(path),
    message: shorten(message),
  }));
  return { faults, more: all.length - faults.length };
}

/** All of them as sentences in one line; how many more comes last. */
export function joinFaults({ faults, more }: Faults): string {
  const told = faults.map(({ path, message }) => (path === '' ? message : `${path} ${message}`));
  return [...told, ...(more === 0 ? [] : [moreWords(more)])].join(' ');
}

/** How many faults are not told. */
export function moreWords(more: number): string {
  return more === 1 ? 'There is 1 more.' : `There are ${more} more.`;
}

function shorten(text: string): string {
  return text.length <= maximumCharacters ? text : `${text.slice(0, maximumCharacters)}…`;
}
