// A request's config as it's told: what templates made of secrets is `***` there.
import { isJsonArray, isJsonObject, type JsonValue } from '../../../base/json.ts';
import type { HiddenText } from '../../sandbox/messages.ts';

export const hidden = '***';

/** Returns the filled config with the hidden texts in place of what stands there. */
export function hideTexts(config: JsonValue, texts: readonly HiddenText[]): JsonValue {
  return texts.reduce(
    (whole, { path, text }) => replaceAt(whole, path, isWholeQuery(path) ? { [hidden]: text } : text),
    config,
  );
}

/** It has to be an object, also where a single template gives it. */
function isWholeQuery(path: readonly string[]): boolean {
  return path.length === 1 && path[0] === 'query';
}

function replaceAt(value: JsonValue, [name, ...rest]: readonly string[], shown: JsonValue): JsonValue {
  if (name === undefined) return shown;
  if (isJsonArray(value))
    return value.map((item, index) => (String(index) === name ? replaceAt(item, rest, shown) : item));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      key === name ? replaceAt(member, rest, shown) : member,
    ]),
  );
}
