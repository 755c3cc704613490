// Why: a log line tells of a value without pouring all of it out.
import { isJsonObject } from '../../base/json.ts';
import type { JsonValue } from '../../base/json.ts';
import { isJsonList } from '../jsonList.ts';

const maximumLength = 80;

/** The value itself when it is short, else what it is. */
export function describe(value: JsonValue): string {
  const text = JSON.stringify(value);
  if (text.length <= maximumLength) return text;
  if (isJsonList(value)) return `a list of ${value.length}`;
  if (isJsonObject(value)) return `an object with ${Object.keys(value).slice(0, 8).join(', ')}`;
  return `a text of ${text.length - 2} characters`;
}
