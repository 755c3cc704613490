// Checks for JSON from outside, which every layer needs.

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;
export interface JsonObject {
  readonly [member: string]: JsonValue;
}

/** True for a plain JSON object: not null, not an array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** True for a JSON array. Unlike Array.isArray, it keeps the items JSON. */
export function isJsonArray(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** The maximum depth of JSON from outside or from an expression. */
export const maximumJsonDepth = 200;
/** The maximum depth of a whole text: what the wire puts around a value, such as a page of rows, has levels of its own. */
export const maximumTextDepth = maximumJsonDepth + 10;

export type JsonReading =
  { readonly kind: 'value'; readonly value: JsonValue } | { readonly kind: 'notJson' | 'tooDeep' };

/** Parses JSON text, unless it's deeper than the maximum. */
export function readJson(text: string, maximumDepth = maximumJsonDepth): JsonReading {
  if (isTooDeep(text, maximumDepth)) return { kind: 'tooDeep' };
  try {
    return { kind: 'value', value: JSON.parse(text) as JsonValue };
  } catch {
    return { kind: 'notJson' };
  }
}

/** Parses JSON text that may wrap a value of the maximum depth. Returns undefined when it isn't JSON or is deeper. */
export function parseJson(text: string): JsonValue | undefined {
  const reading = readJson(text, maximumTextDepth);
  return reading.kind === 'value' ? reading.value : undefined;
}

/** True when JSON text is deeper than the maximum. Doesn't parse the text, so hostile JSON costs no memory and no stack. */
export function isTooDeep(text: string, maximumDepth = maximumJsonDepth): boolean {
  if (text.length <= maximumDepth) return false;
  let depth = 0;
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charCodeAt(index);
    if (character === quote) {
      index = endOfString(text, index);
    } else if (character === openBrace || character === openBracket) {
      depth += 1;
      if (depth > maximumDepth) return true;
    } else if (character === closeBrace || character === closeBracket) {
      depth -= 1;
    }
  }
  return false;
}

const quote = 0x22;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/** Returns the index of the quote that ends the string starting at `start`, or the text's length when there is none. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let before = end - 1;
    while (text.charCodeAt(before) === backslash) before -= 1;
    if ((end - before) % 2 === 1) return end;
  }
  return text.length;
}

/** True when two JSON values are equal. The order of members doesn't matter. */
export function equalJson(left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  if (left === right) return true;
  if (Array.isArray(left) && Array.isArray(right)) {
    return (
      left.length === right.length &&
      left.every((item: JsonValue, index) => equalJson(item, right[index] as JsonValue))
    );
  }
  if (!isJsonObject(left) || !isJsonObject(right)) return false;
  const names = Object.keys(left);
  return (
    names.length === Object.keys(right).length &&
    names.every((name) => Object.hasOwn(right, name) && equalJson(left[name], right[name]))
  );
}
