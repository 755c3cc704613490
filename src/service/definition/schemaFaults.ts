import { type OutputUnit, type SchemaDraft, Validator } from '@cfworker/json-schema';
import { type Fault, type Faults, firstFaults, maximumFaults } from './faults.ts';

/** Keywords that only say that something further in is wrong. */
const outer = new Set(['properties', 'items', 'allOf', 'anyOf', 'if', '$ref', 'additionalProperties', 'not']);

/** What keeps a value from fitting a schema. Throws on a schema that cannot be used. */
export function schemaFaults(
  schema: Readonly<Record<string, unknown>>,
  draft: SchemaDraft,
  value: unknown,
): Faults {
  try {
    return innermost(new Validator({ ...schema }, draft, false).validate(value).errors);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    // The validator hands on all faults at once, until there are too many; then it is asked for the first ones only.
    return { ...innermost(new Validator({ ...schema }, draft, true).validate(value).errors), more: null };
  }
}

/** The innermost faults, each once. */
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

/** `#/nodes/0/id` as `nodes.0.id`. */
function decodePointer(pointer: string): string {
  return pointer
    .replace(/^#\/?/, '')
    .split('/')
    .map((part) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'))
    .join('.');
}

/** Keyword, the validator's sentence, what is said instead; groups are put in for $1 and $2. */
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

/** What is wrong with a value, to be read behind its place: "must be at least 2, not 1.5." */
function faultWords(keyword: string, sentence: string): string {
  const known = words.find(([name, form]) => name === keyword && form.test(sentence));
  // Several types are told as "string", "number".
  if (known !== undefined) return sentence.replace(known[1], known[2]).replaceAll('", "', ' or ');
  return sentence.replace(/^(?:String|Array|Object|Instance) /, '');
}
