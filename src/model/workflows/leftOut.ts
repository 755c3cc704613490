// What a service left out of a definition that it was given.
import {
  equalJson,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  memberOf,
} from '../../base/json.ts';
import { formatOf, definitionFormats } from '../../domain/definitionFormat.ts';
import type { Workflow } from '../../domain/workflow.ts';
import { emptied, isServiceMember } from './workflowDefinition.ts';

/**
 * Returns the members that the new workflow lacks, such as `tags` and `nodes.color`, each once: without those that a service maintains itself,
 * and without empty ones. None where the service didn't respond with the definition.
 */
export function findLeftOut(given: JsonObject, { raw, hasDefinition }: Workflow): readonly string[] {
  if (!hasDefinition) return [];
  const { originMembers } = definitionFormats[formatOf(given)];
  const content = Object.fromEntries(
    Object.entries(given).filter(
      ([name, value]) => !isServiceMember(name, value) && !originMembers.includes(name),
    ),
  );
  const found = new Set<string>();
  collect(content, withInner(raw), [], found);
  return [...found];
}

/** The record with the members of the object in it that has the nodes, where services have one. */
function withInner(record: JsonObject): JsonObject {
  if (record['nodes'] !== undefined) return record;
  const inner = Object.values(record).find((value) => isJsonObject(value) && value['nodes'] !== undefined);
  return inner !== undefined && isJsonObject(inner) ? { ...inner, ...record } : record;
}

function collect(given: JsonValue, kept: JsonValue, path: readonly string[], found: Set<string>): void {
  if (isJsonArray(given) && isJsonArray(kept)) {
    for (const [index, item] of given.entries()) {
      const like = kept[index];
      if (like !== undefined) collect(item, like, path, found);
      else found.add(path.join('.'));
    }
    return;
  }
  if (!isJsonObject(given) || !isJsonObject(kept)) return;
  for (const [name, value] of Object.entries(given)) {
    const like = memberOf(kept, name);
    if (like !== undefined) collect(value, like, [...path, name], found);
    else if (!equalJson(value, emptied(value))) found.add([...path, name].join('.'));
  }
}
