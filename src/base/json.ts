// JSON from outside, which every layer needs: its one reader, its one writer, and checks of its values.
import { equalNumbers, isLossless, mayLoseDigits } from './jsonNumbers.ts';
import { isTooDeep, losesDigits, maximumJsonDepth } from './jsonScan.ts';

export type JsonValue = string | number | boolean | null | ExactNumber | readonly JsonValue[] | JsonObject;
export interface JsonObject {
  readonly [member: string]: JsonValue;
}

declare const exact: unique symbol;

/**
 * A number whose value JavaScript's own numbers can't hold, with the digits that it came with. Only `readJson` makes one, and it's written as
 * it came. A structured clone loses it, so threads hand values to each other as JSON text.
 */
export interface ExactNumber {
  readonly [exact]: true;
  /** JSON of a number. */
  readonly rawJSON: string;
}

declare global {
  interface JSON {
    parse(text: string, reviver: Reviver): unknown;
    rawJSON(text: string): ExactNumber;
    isRawJSON(value: unknown): value is ExactNumber;
  }
}

/** `source`: the text of a value that is neither an object nor a list. */
type Reviver = (name: string, value: unknown, context: { readonly source?: string }) => unknown;

/** True for a number that JavaScript's own numbers can't hold. */
export function isExactNumber(value: unknown): value is ExactNumber {
  return typeof value === 'object' && value !== null && 'rawJSON' in value && JSON.isRawJSON(value);
}

/** True for a plain JSON object: not null, not an array, not a number. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isExactNumber(value);
}

/** True for a JSON array. Unlike Array.isArray, it keeps the items JSON. */
export function isJsonArray(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** The object's own member, or the list's item; undefined where there's none. A name from outside may be one that objects inherit. */
export function memberOf(value: JsonValue | undefined, name: string | number): JsonValue | undefined {
  if (isJsonArray(value)) return value[Number(name)];
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** What a path leads to; undefined where it leads nowhere. */
export function valueAt(
  value: JsonValue | undefined,
  path: readonly (string | number)[],
): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>(memberOf, value);
}

/** The nearest number of JavaScript's own; undefined for anything but a number. */
export function nearestNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  return isExactNumber(value) ? Number(value.rawJSON) : undefined;
}

/** Returns the value with the nearest number in place of each exact one; the same value where there's none. */
export function withNearestNumbers(value: JsonValue): JsonValue {
  return withLeaves(value, (leaf) => (isExactNumber(leaf) ? Number(leaf.rawJSON) : leaf));
}

/** Returns the value with U+FFFD in place of each lone surrogate in its names and texts; the same value where there's none. */
export function withWellFormedTexts(value: JsonValue): JsonValue {
  return withLeaves(
    value,
    (leaf) => (typeof leaf === 'string' ? leaf.toWellFormed() : leaf),
    (name) => name.toWellFormed(),
  );
}

/** change: of what is neither a list nor an object. rename: of the names in objects. Returns the same value where nothing differs. */
function withLeaves(
  value: JsonValue,
  change: (leaf: JsonValue) => JsonValue,
  rename = (name: string): string => name,
): JsonValue {
  if (isJsonArray(value)) {
    const items = value.map((item) => withLeaves(item, change, rename));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  if (!isJsonObject(value)) return change(value);
  const before = Object.entries(value);
  const after = before.map(([name, member]) => [rename(name), withLeaves(member, change, rename)] as const);
  const isSame = before.every(
    ([name, member], index) => name === after[index]?.[0] && member === after[index][1],
  );
  return isSame ? value : Object.fromEntries(after);
}

/** The type in the words of JSON. */
export function typeOfJson(value: JsonValue): 'null' | 'array' | 'object' | 'number' | 'string' | 'boolean' {
  if (value === null) return 'null';
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'boolean';
  if (isJsonArray(value)) return 'array';
  return isJsonObject(value) ? 'object' : 'number';
}

/** The maximum depth of a whole text: what the wire puts around a value, such as a page of rows, has levels of its own. */
export const maximumTextDepth = maximumJsonDepth + 10;

export type JsonReading =
  { readonly kind: 'value'; readonly value: JsonValue } | { readonly kind: 'notJson' | 'tooDeep' };

/** In UTF-16 units. Of a longer text, the levels are counted before it's parsed: each takes far more memory than its two characters. */
const parsedAtOnce = 2 * 1024 * 1024;

/** Parses JSON text, unless it's deeper than the maximum. No number changes its value: see `ExactNumber`. */
export function readJson(text: string, maximumDepth = maximumJsonDepth): JsonReading {
  const isExact = mayLoseDigits(text) && losesDigits(text);
  const isCounted = isExact || text.length > parsedAtOnce;
  if (isCounted && isTooDeep(text, maximumDepth)) return { kind: 'tooDeep' };
  try {
    // With a reviver, the parser calls itself for each level.
    const value = (isExact ? JSON.parse(text, keepDigits) : JSON.parse(text)) as JsonValue;
    return isCounted || !isNested(value) || !isDeeper(value, maximumDepth)
      ? { kind: 'value', value }
      : { kind: 'tooDeep' };
  } catch {
    return { kind: isTooDeep(text, maximumDepth) ? 'tooDeep' : 'notJson' };
  }
}

/** Parses JSON text that may wrap a value of the maximum depth. Returns undefined when it isn't JSON or is deeper. */
export function parseJson(text: string): JsonValue | undefined {
  const reading = readJson(text, maximumTextDepth);
  return reading.kind === 'value' ? reading.value : undefined;
}

/** Writes a value as JSON, undefined as null. `indent`: as in JSON.stringify. Numbers have the digits that they came with. */
export function stringifyJson(value: unknown, indent?: number | string): string {
  return JSON.stringify(value ?? null, undefined, indent);
}

const keepDigits: Reviver = (_name, value, { source }) =>
  typeof value === 'number' && source !== undefined && !isLossless(source) ? JSON.rawJSON(source) : value;

type Nested = readonly JsonValue[] | JsonObject;

/** Costs far less than searching the text. The value contains no exact number. */
function isDeeper(value: Nested, maximumDepth: number): boolean {
  if (maximumDepth === 0) return true;
  if (isJsonArray(value)) {
    for (const item of value) if (isNested(item) && isDeeper(item, maximumDepth - 1)) return true;
    return false;
  }
  for (const name in value) {
    const member = value[name];
    if (isNested(member) && isDeeper(member, maximumDepth - 1)) return true;
  }
  return false;
}

function isNested(value: JsonValue | undefined): value is Nested {
  return typeof value === 'object' && value !== null;
}

/** True when two JSON values are equal: numbers with the same value, objects with the same members in any order. */
export function equalJson(left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  if (left === right) return true;
  if (isExactNumber(left) || isExactNumber(right)) {
    const [one, other] = [numberText(left), numberText(right)];
    return one !== undefined && other !== undefined && equalNumbers(one, other);
  }
  if (isJsonArray(left) && isJsonArray(right))
    return left.length === right.length && left.every((item, index) => equalJson(item, right[index]));
  if (!isJsonObject(left) || !isJsonObject(right)) return false;
  const names = Object.keys(left);
  return (
    names.length === Object.keys(right).length &&
    names.every((name) => Object.hasOwn(right, name) && equalJson(left[name], right[name]))
  );
}

/** Returns a number as JSON; undefined for anything but a number. */
export function numberText(value: JsonValue | undefined): string | undefined {
  if (typeof value === 'number') return String(value);
  return isExactNumber(value) ? value.rawJSON : undefined;
}
