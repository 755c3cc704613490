// The configs that an execution ran with, as far as that can be known. Pure.
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../base/json.ts';
import type { Execution } from '../../../domain/execution.ts';
import type { Workflow } from '../../../domain/workflow.ts';
import type { ExpressionPlace } from './expressionPlaces.ts';

/** By node id: the node as it ran. */
export type RanNodes = ReadonlyMap<string, JsonObject>;

/**
 * An execution runs what is deployed when it's accepted. So that's known while nothing was deployed since. Services whose nodes are other
 * ones than the local service's don't tell what is deployed, so nothing is said about those.
 */
export function findRanNodes(workflow: Workflow | undefined, execution: Execution): RanNodes | undefined {
  const { deployedDefinition, deployedAt } = workflow ?? {};
  const nodes = deployedDefinition?.['nodes'];
  const acceptedAt = execution.createdAt;
  if (!isJsonArray(nodes) || !deployedAt || !acceptedAt || deployedAt > acceptedAt) return undefined;
  const found = new Map<string, JsonObject>();
  for (const node of nodes) {
    const id = isJsonObject(node) ? node['id'] : undefined;
    if (isJsonObject(node) && typeof id === 'string' && !found.has(id)) found.set(id, node);
  }
  return found;
}

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
