import {
  equalJson,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  memberOf,
  numberText,
  stringifyJson,
} from '../base/json.ts';

export interface MergedDefinition {
  /** Has my value where both sides changed the same place. */
  readonly definition: JsonObject;
  /** The places that both sides changed, such as `nodes.start` or `settings.region`. */
  readonly collisions: readonly string[];
}

/** Merges member by member, and lists of nodes and edges item by item. A node that both sides changed collides, whichever members changed. */
export function mergeDefinitions(base: JsonObject, mine: JsonObject, theirs: JsonObject): MergedDefinition {
  const collisions: string[] = [];
  const definition = mergeMembers(base, mine, theirs, '', collisions);
  return { definition, collisions };
}

type Maybe = JsonValue | undefined;

/** Returns the only side that changed; undefined when both did, differently. */
function pickSide(base: Maybe, mine: Maybe, theirs: Maybe): { readonly value: Maybe } | undefined {
  if (equalJson(mine, theirs) || equalJson(base, theirs)) return { value: mine };
  return equalJson(base, mine) ? { value: theirs } : undefined;
}

function mergeMembers(
  base: JsonObject,
  mine: JsonObject,
  theirs: JsonObject,
  place: string,
  collisions: string[],
): JsonObject {
  const names = new Set([...Object.keys(mine), ...Object.keys(theirs)]);
  const merged: [string, JsonValue][] = [];
  for (const name of names) {
    const path = place === '' ? name : `${place}.${name}`;
    const value = mergeValue(
      memberOf(base, name),
      memberOf(mine, name),
      memberOf(theirs, name),
      path,
      collisions,
    );
    if (value !== undefined) merged.push([name, value]);
  }
  return Object.fromEntries(merged);
}

function mergeValue(base: Maybe, mine: Maybe, theirs: Maybe, path: string, collisions: string[]): Maybe {
  const side = pickSide(base, mine, theirs);
  if (side !== undefined) return side.value;
  if (isJsonObject(mine) && isJsonObject(theirs))
    return mergeMembers(isJsonObject(base) ? base : {}, mine, theirs, path, collisions);
  const [baseItems, mineItems, theirItems] = [base ?? [], mine, theirs].map(toKeyed);
  if (baseItems && mineItems && theirItems)
    return mergeItems(baseItems, mineItems, theirItems, path, collisions);
  collisions.push(path);
  return mine;
}

type Items = ReadonlyMap<string, JsonObject>;

/** Returns the key of a list's item: its id, or for an edge without an id the nodes it connects. */
export function itemKey(item: JsonObject): string | undefined {
  const { id, source, target, branch } = item;
  const text = typeof id === 'string' ? id : numberText(id);
  if (text !== undefined) return text;
  return source === undefined || target === undefined
    ? undefined
    : stringifyJson([source, target, branch ?? null]);
}

/** Returns the items by their keys; undefined when the value isn't a list, or its items have no unique keys. */
function toKeyed(value: Maybe): Items | undefined {
  if (!isJsonArray(value)) return undefined;
  const items = new Map<string, JsonObject>();
  for (const item of value) {
    const key = isJsonObject(item) ? itemKey(item) : undefined;
    if (!isJsonObject(item) || key === undefined || items.has(key)) return undefined;
    items.set(key, item);
  }
  return items;
}

function mergeItems(
  base: Items,
  mine: Items,
  theirs: Items,
  path: string,
  collisions: string[],
): readonly JsonValue[] {
  const merged = new Map<string, JsonObject>();
  for (const key of new Set([...mine.keys(), ...theirs.keys()])) {
    const side = pickSide(base.get(key), mine.get(key), theirs.get(key));
    if (side === undefined) collisions.push(`${path}.${key}`);
    const value = side === undefined ? mine.get(key) : side.value;
    if (isJsonObject(value)) merged.set(key, value);
  }
  const order = mergeOrder([...base.keys()], [...mine.keys()], [...theirs.keys()]);
  if (order === undefined) collisions.push(path);
  const keys = order ?? insertNew([...mine.keys()], [...theirs.keys()]);
  return keys.flatMap((key) => merged.get(key) ?? []);
}

/** Returns the order of the side that reordered; undefined when both did, differently. */
function mergeOrder(
  base: readonly string[],
  mine: readonly string[],
  theirs: readonly string[],
): readonly string[] | undefined {
  const [inBase, inMine, inTheirs] = [new Set(base), new Set(mine), new Set(theirs)];
  const isShared = (key: string): boolean => inBase.has(key) && inMine.has(key) && inTheirs.has(key);
  const mineShared = mine.filter(isShared);
  const side = pickSide(base.filter(isShared), mineShared, theirs.filter(isShared));
  if (side === undefined) return undefined;
  return equalJson(side.value, mineShared) ? insertNew(mine, theirs) : insertNew(theirs, mine);
}

/** Returns the first order, plus the keys that only the second order has, each placed after the key it follows there. */
function insertNew(first: readonly string[], second: readonly string[]): readonly string[] {
  const known = new Set(first);
  const followers = new Map<string | undefined, string[]>();
  let previous: string | undefined;
  for (const key of second) {
    if (known.has(key)) previous = key;
    else followers.set(previous, [...(followers.get(previous) ?? []), key]);
  }
  return [undefined, ...first].flatMap((key) => [
    ...(key === undefined ? [] : [key]),
    ...(followers.get(key) ?? []),
  ]);
}
