// Numbers that JavaScript's own can't hold, and values with them as somebody typed them.
import assert from 'node:assert/strict';
import { isJsonObject, type JsonObject, parseJson } from '../../src/base/json.ts';

export const longNumbers: readonly string[] = [
  '9007199254740993',
  '-12345678901234567890',
  '0.1234567890123456789',
  '1e400',
  '1E-400',
];

/** An object with a list of all of them, as JSON. */
export const longNumbersText = `{"list":[${longNumbers.join(',')}]}`;

export function typed(text: string): JsonObject {
  const value = parseJson(text);
  assert.ok(isJsonObject(value), text);
  return value;
}
