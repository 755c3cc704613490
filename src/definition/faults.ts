// What is wrong with a value, found by a schema or a check, and in which words. The schemas' part runs in a worker.
import { type OutputUnit, type SchemaDraft, Validator } from '@cfworker/json-schema';

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
const maximumFaults = 20;
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

/** Keywords that only report that a nested value has faults. */
const outer = new Set(['properties', 'items', 'allOf', 'anyOf', 'if', '$ref', 'additionalProperties', 'not']);

/** Checks a value against a schema. Throws on an unusable schema. */
export function schemaFaults(
  schema: Readonly<Record<string, unknown>>,
  draft: SchemaDraft,
  value: unknown,
): Faults {
  try {
    return innermost(new Validator({ ...schema }, draft, false).validate(value).errors);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    // The validator passes all faults as the arguments of one call, which fails when there are too many; the second run stops at the first.
    return { ...innermost(new Validator({ ...schema }, draft, true).validate(value).errors), more: null };
  }
}

/** Returns the distinct innermost faults. */
function innermost(errors: readonly OutputUnit[]): Faults {
  const inner = errors.filter((error) => !outer.has(error.keyword));
  const seen = new Set<string>();
  const faults: Fault[] = [];
  for (const { instanceLocation, keyword, error } of inner.length > 0 ? inner : errors) {
    const key = `${instanceLocation} ${error}`;
    if (seen.has(key)) continue;
    seen.add(key);
    if (faults.length < maximumFaults)
      faults.push({ path: decodePointer(instanceLocation), message: faultWords(keyword, error) });
  }
  return firstFaults(faults, seen.size);
}

/** Converts `#/nodes/0/id` to `nodes.0.id`. */
function decodePointer(pointer: string): string {
  return pointer
    .replace(/^#\/?/, '')
    .split('/')
    .map((part) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'))
    .join('.');
}

/** Replacements for the validator's sentences; $1 and $2 stand for the groups. */
const words: readonly (readonly [keyword: string, sentence: RegExp, instead: string])[] = [
  ['required', /^Instance does not have required property (.+)\.$/, '$1 is missing.'],
  ['type', /^Instance type "(.+)" is invalid\. Expected "(.+)"\.$/, 'must be of type $2, not $1.'],
  ['enum', /^Instance does not match any of \[(.+)\]\.$/, 'must be one of $1.'],
  ['const', /^Instance does not match (.+)\.$/, 'must be $1.'],
  ['minimum', /^(.+) is less than (.+)\.$/, 'must be at least $2, not $1.'],
  ['maximum', /^(.+) is greater than (.+)\.$/, 'must be at most $2, not $1.'],
  ['pattern', /^.*$/, 'does not have the form that is asked for.'],
  ['false', /^.*$/, 'is not allowed here.'],
];

/** Returns the message that follows a fault's path: "must be at least 2, not 1.5." */
function faultWords(keyword: string, sentence: string): string {
  const known = words.find(([name, form]) => name === keyword && form.test(sentence));
  // The validator lists several types as "string", "number".
  if (known !== undefined) return sentence.replace(known[1], known[2]).replaceAll('", "', ' or ');
  return sentence.replace(/^(?:String|Array|Object|Instance) /, '');
}
