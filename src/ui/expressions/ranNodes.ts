// Whether an expression is the one that an execution ran. Pure.
import { isJsonArray, isJsonObject, type JsonValue } from '../../base/json.ts';
import type { RanNodes } from '../../model/workflows/ranDefinitions.ts';
import type { ExpressionPlace } from '../../definition/expressionPlaces.ts';

/** True if the string that the expression is in is the one that ran. */
export function isAsRan({ nodeId, nodeType, path, string }: ExpressionPlace, ran: RanNodes): boolean {
  const node = ran.get(nodeId);
  return node?.['type'] === nodeType && valueAt(node['config'], path) === string;
}

/** Returns undefined where the path leads nowhere. */
export function valueAt(
  value: JsonValue | undefined,
  [name, ...rest]: readonly string[],
): JsonValue | undefined {
  if (name === undefined) return value;
  if (isJsonArray(value)) return valueAt(value[Number(name)], rest);
  return isJsonObject(value) && Object.hasOwn(value, name) ? valueAt(value[name], rest) : undefined;
}
