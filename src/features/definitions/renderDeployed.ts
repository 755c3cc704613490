// Renders the deployed definition with the draft's own formatting, so that a comparison shows only real differences.
import type { Node } from 'jsonc-parser';
import {
  equalJson,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parseJson,
  stringifyJson,
} from '../../base/json.ts';
import { renderDefinition } from '../../model/workflows/workflowDefinition.ts';
import { readJsonText } from '../../definition/jsonText.ts';
import { itemKey } from './files/mergeDefinitions.ts';

/** The draft's text and its indentation. */
interface Draft {
  readonly text: string;
  readonly indent: string;
}

/** Returns the draft's text with these members in place of its own. Pure. */
export function renderDeployed(text: string, deployed: JsonObject): string {
  const { root } = readJsonText(text);
  const draft = parseJson(text);
  if (root === undefined || !isJsonObject(draft)) return renderDefinition(deployed);
  const indent = /^[ \t]+(?=\S)/m.exec(text)?.[0] ?? '  ';
  const value = write({ text, indent }, root, { ...draft, ...deployed }, 0);
  return text.slice(0, root.offset) + value + text.slice(root.offset + root.length);
}

/** Reuses the node's text if the values are equal; else writes the value part by part, each like its counterpart in the draft. */
function write(draft: Draft, node: Node | undefined, value: JsonValue, depth: number): string {
  const { text, indent } = draft;
  const margin = `\n${indent.repeat(depth)}`;
  const own = node && text.slice(node.offset, node.offset + node.length);
  if (own !== undefined && equalJson(parseJson(own), value)) return own;
  if (node?.type === 'object' && isJsonObject(value))
    return enclose('{}', writeMembers(draft, node, value, depth + 1), margin, indent);
  if (node?.type === 'array' && isJsonArray(value))
    return enclose('[]', writeItems(draft, node, value, depth + 1), margin, indent);
  return stringifyJson(value, indent).replaceAll('\n', margin);
}

function enclose(brackets: '{}' | '[]', parts: readonly string[], margin: string, indent: string): string {
  const [first = '', last = ''] = brackets;
  if (parts.length === 0) return brackets;
  return `${first}${parts.map((part) => margin + indent + part).join(',')}${margin}${last}`;
}

/** In the draft's order; members that the draft doesn't have come last. */
function writeMembers(draft: Draft, node: Node, value: JsonObject, depth: number): readonly string[] {
  const own = new Map(
    (node.children ?? []).map(({ offset, children: [name, like] = [] }) => [
      String(name?.value),
      { like, key: draft.text.slice(offset, like?.offset) },
    ]),
  );
  const names = new Set([...own.keys(), ...Object.keys(value)]);
  return [...names].flatMap((name) => {
    const member = Object.hasOwn(value, name) ? value[name] : undefined;
    if (member === undefined) return [];
    const { like, key } = own.get(name) ?? { like: undefined, key: `${stringifyJson(name)}: ` };
    return [key + write(draft, like, member, depth)];
  });
}

/** Writes each item like its counterpart in the draft: the item with the same key, or else the item at the same index. */
function writeItems(draft: Draft, node: Node, value: readonly JsonValue[], depth: number): readonly string[] {
  const own = node.children ?? [];
  const keyed = new Map(own.map((item) => [keyOf(parseItem(draft, item)), item]));
  return value.map((item, place) => {
    const key = keyOf(item);
    return write(draft, key === undefined ? own[place] : keyed.get(key), item, depth);
  });
}

function parseItem({ text }: Draft, { offset, length }: Node): JsonValue | undefined {
  return parseJson(text.slice(offset, offset + length));
}

function keyOf(item: JsonValue | undefined): string | undefined {
  return isJsonObject(item) ? itemKey(item) : undefined;
}
