// The names and values of a query or a form (contract section 10).
import { isJsonArray, type JsonObject, type JsonValue, stringifyJson } from '../../../base/json.ts';
import { findNested } from '../../../definition/requestFields.ts';
import { NodeError } from '../../errors.ts';

/**
 * Returns the fields in order: a list gives one for each of its items, and null none. `what`: the member of the config, such as "query".
 * Throws a NodeError for a value that isn't text, a number or a boolean.
 */
export function readFields(fields: JsonObject, what: string): readonly (readonly [string, string])[] {
  const [nested] = findNested(fields);
  if (nested !== undefined)
    throw new NodeError(
      'config_invalid',
      `Nothing was sent because "${nested.join('.')}" in the ${what} is neither text, a number nor a boolean, nor a list of these.`,
    );
  return Object.entries(fields).flatMap(([name, value]) =>
    (isJsonArray(value) ? value : [value]).flatMap((item) =>
      item === null ? [] : [[name, textOfJson(item)] as const],
    ),
  );
}

/** A text as it is, any other value as JSON. */
export function textOfJson(value: JsonValue): string {
  return typeof value === 'string' ? value : stringifyJson(value);
}
