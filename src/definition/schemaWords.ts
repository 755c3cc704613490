// What each keyword of JSON Schema asks of a value that doesn't match it, in words. Each follows the value's place: "age must be at least
// 16, not 3".
import { ucs2length } from '@cfworker/json-schema';
import * as l10n from '@vscode/l10n';
import { truncateText } from '../base/format.ts';
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  stringifyJson,
  typeOfJson,
} from '../base/json.ts';

/** `schema`: the one that has the keyword. `sentence`: the validator's own, read only for what would have to be found again. */
type WriteFault = (schema: JsonObject, value: JsonValue, sentence: string) => string | readonly string[];

const maximumValue = 60;
/** How many of the allowed values are written: more than a message has room for. */
const maximumValues = 20;

const examples: ReadonlyMap<string, string> = new Map([
  ['date', '2026-01-31'],
  ['time', '12:30:00Z'],
  ['date-time', '2026-01-31T12:30:00Z'],
  ['duration', 'P1DT12H'],
  ['uri', 'https://example.com/'],
  ['uri-reference', '/orders/1'],
  ['uri-template', '/orders/{id}'],
  ['url', 'https://example.com/'],
  ['email', 'ada@example.com'],
  ['hostname', 'example.com'],
  ['ipv4', '192.0.2.1'],
  ['ipv6', '2001:db8::1'],
  ['uuid', '123e4567-e89b-12d3-a456-426614174000'],
  ['json-pointer', '/orders/0'],
  ['json-pointer-uri-fragment', '#/orders/0'],
  ['relative-json-pointer', '1/id'],
]);

const words: ReadonlyMap<string, WriteFault> = new Map<string, WriteFault>([
  ['false', () => l10n.t("isn't allowed here")],
  ['type', ({ type = null }, value) => typeWords(textsOf(type), value)],
  ['const', ({ const: wanted = null }) => valueWords([show(wanted)])],
  ['enum', ({ enum: wanted = null }) => valueWords(shownValues(wanted))],
  ['not', ({ not = null }) => notWords(not)],
  ['oneOf', () => l10n.t('matches several alternatives, but must match exactly one')],
  [
    'required',
    ({ required = null }, value) =>
      textsOf(required)
        .filter((name) => !has(value, name))
        .map((name) => l10n.t('{0} is missing', show(name))),
  ],
  ['dependentRequired', ({ dependentRequired = null }, value) => dependencyWords(dependentRequired, value)],
  ['dependencies', ({ dependencies = null }, value) => dependencyWords(dependencies, value)],
  [
    'minProperties',
    ({ minProperties: least = null }, value) =>
      atLeast(least, isJsonObject(value) ? Object.keys(value).length : 0, (wanted, found) =>
        l10n.t('must have at least {0} members, not {1}', wanted, found),
      ),
  ],
  [
    'maxProperties',
    ({ maxProperties: most = null }, value) =>
      atMost(most, isJsonObject(value) ? Object.keys(value).length : 0, {
        one: (found) => l10n.t('must have at most 1 member, not {0}', found),
        many: (wanted, found) => l10n.t('must have at most {0} members, not {1}', wanted, found),
      }),
  ],
  [
    'minItems',
    ({ minItems: least = null }, value) =>
      atLeast(least, isJsonArray(value) ? value.length : 0, (wanted, found) =>
        l10n.t('must have at least {0} items, not {1}', wanted, found),
      ),
  ],
  [
    'maxItems',
    ({ maxItems: most = null }, value) =>
      atMost(most, isJsonArray(value) ? value.length : 0, {
        one: (found) => l10n.t('must have at most 1 item, not {0}', found),
        many: (wanted, found) => l10n.t('must have at most {0} items, not {1}', wanted, found),
      }),
  ],
  [
    'minLength',
    ({ minLength: least = null }, value) =>
      atLeast(least, lengthOf(value), (wanted, found) =>
        l10n.t('must have at least {0} characters, not {1}', wanted, found),
      ),
  ],
  [
    'maxLength',
    ({ maxLength: most = null }, value) =>
      atMost(most, lengthOf(value), {
        one: (found) => l10n.t('must have at most 1 character, not {0}', found),
        many: (wanted, found) => l10n.t('must have at most {0} characters, not {1}', wanted, found),
      }),
  ],
  [
    'minimum',
    // In draft 4, the bound itself may be excluded by a second keyword.
    ({ minimum = null, exclusiveMinimum }, value) =>
      exclusiveMinimum === true && value === minimum
        ? l10n.t('must be more than {0}, not {1}', show(minimum), show(value))
        : l10n.t('must be at least {0}, not {1}', show(minimum), show(value)),
  ],
  [
    'maximum',
    ({ maximum = null, exclusiveMaximum }, value) =>
      exclusiveMaximum === true && value === maximum
        ? l10n.t('must be less than {0}, not {1}', show(maximum), show(value))
        : l10n.t('must be at most {0}, not {1}', show(maximum), show(value)),
  ],
  [
    'exclusiveMinimum',
    ({ exclusiveMinimum: bound = null }, value) =>
      l10n.t('must be more than {0}, not {1}', show(bound), show(value)),
  ],
  [
    'exclusiveMaximum',
    ({ exclusiveMaximum: bound = null }, value) =>
      l10n.t('must be less than {0}, not {1}', show(bound), show(value)),
  ],
  [
    'multipleOf',
    ({ multipleOf = null }, value) =>
      l10n.t('must be a multiple of {0}, not {1}', show(multipleOf), show(value)),
  ],
  [
    'pattern',
    ({ pattern }) =>
      typeof pattern === 'string'
        ? l10n.t('must match the pattern {0}', truncateText(pattern, maximumValue))
        : l10n.t("doesn't have the expected form"),
  ],
  ['format', ({ format }) => formatWords(typeof format === 'string' ? format : '')],
  ['uniqueItems', (_schema, _value, sentence) => equalItemsWords(sentence)],
  ['contains', () => l10n.t('must contain an item of the expected kind')],
  [
    'minContains',
    ({ minContains = null }) =>
      minContains === 1
        ? l10n.t('must contain an item of the expected kind')
        : l10n.t('must contain at least {0} items of the expected kind', show(minContains)),
  ],
  [
    'maxContains',
    ({ maxContains = null }) =>
      maxContains === 1
        ? l10n.t('must contain at most 1 item of the expected kind')
        : l10n.t('must contain at most {0} items of the expected kind', show(maxContains)),
  ],
]);

/** What the keyword reports: usually one part of a sentence, for missing members one for each. */
export function keywordWords(
  keyword: string,
  schema: JsonValue | undefined,
  value: JsonValue,
  sentence: string,
): readonly string[] {
  const said = words.get(keyword)?.(isJsonObject(schema) ? schema : {}, value, sentence) ?? [];
  const each = typeof said === 'string' ? [said] : said;
  return each.length > 0 ? each : [unfitWords()];
}

/** For a fault that has no better words. */
export function unfitWords(): string {
  return l10n.t("doesn't match the schema");
}

export function typeWords(types: readonly string[], value: JsonValue): string {
  if (types.length === 1 && types[0] === 'integer' && typeOfJson(value) === 'number')
    return l10n.t('must be a whole number, not {0}', show(value));
  return l10n.t('must be of type {0}, not {1}', orList(types), typeOfJson(value));
}

/** `shown`: the allowed values as they are written. */
export function valueWords(shown: readonly string[]): string {
  const [only = ''] = shown;
  return shown.length === 1 ? l10n.t('must be {0}', only) : l10n.t('must be one of {0}', shown.join(', '));
}

/** What a value must be by `type`, `const` or `enum`, as it's written. */
export function wantedBy(keyword: string, schema: JsonValue | undefined): readonly string[] {
  const { type = null, const: only = null, enum: values = null } = isJsonObject(schema) ? schema : {};
  if (keyword === 'type') return textsOf(type);
  if (keyword === 'const') return [show(only)];
  return keyword === 'enum' ? shownValues(values) : [];
}

/** `fault`: what is wrong with a member's name. */
export function nameWords(fault: string): string {
  return l10n.t("has a name that isn't allowed here: it {0}", fault);
}

export function noneWords(count: number): string {
  return l10n.t('matches none of {0} alternatives', count);
}

export function orWords(faults: readonly string[]): string {
  return faults.reduce((first, second) => l10n.t('{0}, or {1}', first, second));
}

function atLeast(least: JsonValue, found: number, many: (wanted: string, found: string) => string): string {
  return least === 1 ? l10n.t("can't be empty") : many(show(least), String(found));
}

function atMost(
  most: JsonValue,
  found: number,
  { one, many }: { one: (found: string) => string; many: (wanted: string, found: string) => string },
): string {
  if (most === 0) return l10n.t('must be empty');
  return most === 1 ? one(String(found)) : many(show(most), String(found));
}

/** JSON Schema counts the characters of Unicode. */
function lengthOf(value: JsonValue): number {
  return typeof value === 'string' ? ucs2length(value) : 0;
}

function dependencyWords(dependencies: JsonValue, value: JsonValue): readonly string[] {
  const lists = isJsonObject(dependencies) ? Object.entries(dependencies) : [];
  return lists
    .filter(([name]) => has(value, name))
    .flatMap(([name, needed]) =>
      textsOf(isJsonArray(needed) ? needed : [])
        .filter((other) => !has(value, other))
        .map((other) => l10n.t('{0} is missing; {1} needs it', show(other), show(name))),
    );
}

function notWords(not: JsonValue): string {
  const { const: value, enum: values = null, type, required, ...others } = isJsonObject(not) ? not : {};
  const isAlone = Object.keys(others).length === 0;
  const excluded = value === undefined ? shownValues(values) : [show(value)];
  if (isAlone && excluded.length > 0) return l10n.t("can't be {0}", orList(excluded));
  if (isAlone && required === undefined && type !== undefined)
    return l10n.t("can't be of type {0}", orList(textsOf(type)));
  const names = textsOf(required ?? null);
  if (isAlone && type === undefined && names.length === 1)
    return l10n.t("can't have {0}", show(names[0] ?? ''));
  return l10n.t("has a value that isn't allowed here");
}

function formatWords(format: string): string {
  const example = examples.get(format);
  if (example !== undefined) return l10n.t('must have the format {0}, such as {1}', format, example);
  return format === 'regex'
    ? l10n.t('must be a regular expression')
    : l10n.t('must have the format {0}', format);
}

function equalItemsWords(sentence: string): string {
  const [first = '', second = ''] = sentence.match(/\d+/g) ?? [];
  return l10n.t('has equal items at {0} and {1}, but all must be different', first, second);
}

function orList(texts: readonly string[]): string {
  return texts.join(` ${l10n.t('or')} `);
}

function has(value: JsonValue, name: string): boolean {
  return isJsonObject(value) && Object.hasOwn(value, name);
}

/** The texts of a list; of a single text that one. */
function textsOf(value: JsonValue): readonly string[] {
  const items = isJsonArray(value) ? value : [value];
  return items.filter((item) => typeof item === 'string');
}

function shownValues(values: JsonValue): readonly string[] {
  return isJsonArray(values) ? values.slice(0, maximumValues).map(show) : [];
}

function show(value: JsonValue): string {
  return truncateText(stringifyJson(value), maximumValue);
}
