// What is wrong with a value, found by a schema or a check, and in which words. In the service, the schemas' part runs in a worker.
import { type OutputUnit, type SchemaDraft, Validator } from '@cfworker/json-schema';
import * as l10n from '@vscode/l10n';
import { isJsonObject, type JsonObject, type JsonValue, withNearestNumbers } from '../base/json.ts';

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
  const faults = all.slice(0, maximumFaults).map((fault) => ({ ...fault, message: shorten(fault.message) }));
  return { faults, more: more === null ? null : all.length - faults.length + more };
}

/** Returns the path for people and on the wire, such as `nodes.2.config.url`. */
export function writePath(path: readonly string[]): string {
  return shorten(path.join('.'));
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

function shorten(text: string): string {
  return text.length <= maximumCharacters ? text : `${text.slice(0, maximumCharacters)}…`;
}

/** Keywords that only report that a nested value has faults. */
const outer = new Set(['properties', 'items', 'allOf', 'anyOf', 'if', '$ref', 'additionalProperties', 'not']);

/** Checks a value against a schema. Throws on an unusable schema. */
export function schemaFaults(schema: JsonObject, draft: SchemaDraft, given: JsonValue): Faults {
  // The validator knows JavaScript's own numbers only.
  const value = withNearestNumbers(given);
  const usable = withNearestNumbers(schema);
  const own = isJsonObject(usable) ? usable : schema;
  try {
    return innermost(new Validator({ ...own }, draft, false).validate(value).errors);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    // The validator passes all faults as the arguments of one call, which fails when there are too many; the second run stops at the first.
    return { ...innermost(new Validator({ ...own }, draft, true).validate(value).errors), more: null };
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
  return firstFaults(faults, seen.size - faults.length);
}

/** Converts `#/nodes/0/id` to its segments. */
function decodePointer(pointer: string): readonly string[] {
  const parts = pointer.replace(/^#\/?/, '').split('/');
  return parts
    .map((part) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'))
    .filter((part, _index, { length }) => length > 1 || part !== '');
}

/** Replacements for the validator's sentences; they get the groups. */
const replacements: readonly (readonly [
  keyword: string,
  sentence: RegExp,
  instead: (first: string, second: string) => string,
])[] = [
  ['required', /^Instance does not have required property (.+)\.$/, (name) => l10n.t('{0} is missing', name)],
  [
    'type',
    /^Instance type "(.+)" is invalid\. Expected "(.+)"\.$/,
    // The validator lists several types as "string", "number".
    (found, expected) =>
      l10n.t('must be of type {0}, not {1}', expected.replaceAll('", "', ` ${l10n.t('or')} `), found),
  ],
  ['enum', /^Instance does not match any of \[(.+)\]\.$/, (values) => l10n.t('must be one of {0}', values)],
  ['const', /^Instance does not match (.+)\.$/, (value) => l10n.t('must be {0}', value)],
  [
    'minimum',
    /^(.+) is less than (.+)\.$/,
    (found, least) => l10n.t('must be at least {0}, not {1}', least, found),
  ],
  [
    'maximum',
    /^(.+) is greater than (.+)\.$/,
    (found, most) => l10n.t('must be at most {0}, not {1}', most, found),
  ],
  [
    'minLength',
    /^String is too short \((.+) < (.+)\)\.$/,
    (found, least) =>
      least === '1' ? l10n.t("can't be empty") : l10n.t('is too short ({0} < {1})', found, least),
  ],
  [
    'maxLength',
    /^String is too long \((.+) > (.+)\)\.$/,
    (found, most) => l10n.t('is too long ({0} > {1})', found, most),
  ],
  [
    'minItems',
    /^Array has too few items \((.+) < (.+)\)\.$/,
    (found, least) => l10n.t('has too few items ({0} < {1})', found, least),
  ],
  [
    'maxItems',
    /^Array has too many items \((.+) > (.+)\)\.$/,
    (found, most) => l10n.t('has too many items ({0} > {1})', found, most),
  ],
  ['pattern', /^.*$/s, () => l10n.t("doesn't have the expected form")],
  ['false', /^.*$/s, () => l10n.t("isn't allowed here")],
];

/** Returns the message that follows a fault's path: "must be at least 2, not 1.5". */
function faultWords(keyword: string, sentence: string): string {
  for (const [name, form, instead] of replacements) {
    const [whole, first = '', second = ''] = (name === keyword ? form.exec(sentence) : null) ?? [];
    if (whole !== undefined) return instead(first, second);
  }
  return sentence.replace(/^(?:String|Array|Object|Instance) /, '').replace(/\.$/, '');
}
