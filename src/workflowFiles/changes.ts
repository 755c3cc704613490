import {
  equalJson,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  memberOf,
  numberText,
} from '../base/json.ts';
import { definitionFormats, formatOf } from '../domain/definitionFormat.ts';

/** What a definition has otherwise than another. */
export interface DefinitionChanges {
  /** Those that are new, gone or different, by what edges name them by. */
  readonly nodes: readonly string[];
  /** Other members, such as "edges" and "settings"; "nodes" where only their order differs, or they have no names. */
  readonly members: readonly string[];
}

export function findChanges(before: JsonObject, after: JsonObject): DefinitionChanges {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const changed = names.filter((name) => !equalJson(memberOf(before, name), memberOf(after, name)));
  if (!changed.includes('nodes')) return { nodes: [], members: changed };
  const { idMember } = definitionFormats[formatOf(after)];
  const [old, now] = [byName(before['nodes'], idMember), byName(after['nodes'], idMember)];
  const nodes =
    old === undefined || now === undefined
      ? []
      : [...new Set([...now.keys(), ...old.keys()])].filter(
          (name) => !equalJson(old.get(name), now.get(name)),
        );
  return { nodes, members: changed.filter((name) => name !== 'nodes' || nodes.length === 0) };
}

/** What edges name the nodes by; undefined: they can't be told apart by it. */
export function nodeNames(definition: JsonObject): readonly string[] | undefined {
  const { idMember } = definitionFormats[formatOf(definition)];
  const nodes = byName(definition['nodes'], idMember);
  return nodes && [...nodes.keys()];
}

/** undefined: the nodes can't be told apart by their names. */
function byName(nodes: JsonValue | undefined, idMember: string): ReadonlyMap<string, JsonValue> | undefined {
  const named = new Map<string, JsonValue>();
  for (const node of isJsonArray(nodes) ? nodes : []) {
    const id = isJsonObject(node) ? node[idMember] : undefined;
    const name = typeof id === 'string' ? id : numberText(id);
    if (name === undefined || named.has(name)) return undefined;
    named.set(name, node);
  }
  return named;
}
