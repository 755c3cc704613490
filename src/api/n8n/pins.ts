// What nodes give in a test instead of running, as n8n takes it.
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { ServiceError } from '../../domain/errors.ts';
import { notStartable } from './refusing.ts';

/** The items of nodes, by their names. */
export type PinData = Readonly<Record<string, readonly JsonObject[]>>;

/** Throws "notStartable" for outputs that n8n can't pin, and for those of nodes with several outputs: it pins the first only. */
export function toPinData(pinned: JsonObject, document: JsonObject): PinData {
  const items = Object.entries(pinned).map(([name, output]) => [name, itemsOf(output)] as const);
  const names = items.flatMap(([name, list]) =>
    list === undefined || outputsOf(document, name).length > 1 ? [name] : [],
  );
  if (names.length > 0)
    throw new ServiceError(
      { ...notStartable('notPinnable'), names },
      `n8n can't pin what these nodes give: ${names.join(', ')}.`,
    );
  return Object.fromEntries(items.map(([name, list]) => [name, list ?? []]));
}

/** The pins that are saved in a document. */
export function savedPins({ pinData }: JsonObject): PinData {
  const entries = Object.entries(isJsonObject(pinData) ? pinData : {});
  return Object.fromEntries(
    entries.map(([name, items]) => [name, isJsonArray(items) ? items.filter(isJsonObject) : []]),
  );
}

/** A list gives an item for each object, an object the only one. */
function itemsOf(output: JsonValue): readonly JsonObject[] | undefined {
  const values = isJsonArray(output) ? output : [output];
  const objects = values.filter(isJsonObject);
  if (objects.length < values.length) return undefined;
  return objects.map((value) => (isItem(value) ? value : { json: value }));
}

/** An item of n8n's own. */
function isItem(value: JsonObject): boolean {
  const { json, ...others } = value;
  return (
    isJsonObject(json) && Object.keys(others).every((name) => name === 'binary' || name === 'pairedItem')
  );
}

/** What stands behind each output of a node. */
function outputsOf({ connections }: JsonObject, name: string): readonly JsonValue[] {
  const own = isJsonObject(connections) ? connections[name] : undefined;
  const main = isJsonObject(own) ? own['main'] : undefined;
  return isJsonArray(main) ? main : [];
}

interface Edge {
  readonly from: string;
  readonly to: string;
  /** False for one by which a node serves another, such as a model an agent. */
  readonly isMain: boolean;
}

function edgesOf({ connections }: JsonObject): readonly Edge[] {
  return Object.entries(isJsonObject(connections) ? connections : {}).flatMap(([from, kinds]) =>
    Object.entries(isJsonObject(kinds) ? kinds : {}).flatMap(([kind, outputs]) =>
      (isJsonArray(outputs) ? outputs : []).flatMap((output) =>
        (isJsonArray(output) ? output : []).flatMap((target) => {
          const to = isJsonObject(target) ? target['node'] : undefined;
          return typeof to === 'string' ? [{ from, to, isMain: kind === 'main' }] : [];
        }),
      ),
    ),
  );
}

/** The node, what leads to it, and what serves those. A node that serves another comes with that one. */
export function nodesUpTo(document: JsonObject, nodeName: string): ReadonlySet<string> {
  const edges = edgesOf(document);
  const found = new Set([nodeName]);
  for (const name of found)
    for (const { from, to, isMain } of edges) {
      if (to === name) found.add(from);
      if (from === name && !isMain) found.add(to);
    }
  return found;
}

/** Pins with nothing whatever isn't among these nodes, so that nothing behind them runs. */
export function withoutOthers(nodes: readonly JsonObject[], kept: ReadonlySet<string>): PinData {
  return Object.fromEntries(
    nodes.flatMap(({ name, disabled }) =>
      typeof name === 'string' && disabled !== true && !kept.has(name) ? [[name, []] as const] : [],
    ),
  );
}
