// Writes a definition as its author formats it, so that a comparison shows only real differences.
import type { Node } from 'jsonc-parser';
import {
  equalJson,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parseJson,
  stringifyJson,
} from '../../../base/json.ts';
import { renderDefinition } from '../../../model/workflows/workflowDefinition.ts';
import { readJsonText } from '../../../definition/jsonText.ts';
import { itemKey } from './mergeDefinitions.ts';

/** The author's text and its indentation. */
interface Pattern {
  readonly text: string;
  readonly indent: string;
}

/** The white space before a part: with a line end, the part begins a line. */
type Space = string;

/** Returns the draft's text with the members of the deployed definition in place of its own. */
export function renderDeployed(text: string, deployed: JsonObject): string {
  const draft = parseJson(text);
  return isJsonObject(draft) ? renderLike(text, { ...draft, ...deployed }) : renderDefinition(deployed);
}

/** Returns the definition in the format of the text, whose parts with the same values stay as they are. In the usual format if it's no JSON. */
export function renderLike(text: string, definition: JsonObject): string {
  const { root, error } = readJsonText(text);
  if (root === undefined || error !== undefined) return renderDefinition(definition);
  const indent = /^[ \t]+(?=\S)/m.exec(text)?.[0] ?? '  ';
  const value = write({ text, indent }, root, definition, '\n');
  return text.slice(0, root.offset) + value + text.slice(root.offset + root.length);
}

/**
 * Reuses the node's text if the values are equal; else writes the value part by part, each like its counterpart in the author's text, on the
 * same line or on lines of its own as there. `before`: the white space of the line that the value stands in.
 */
function write(pattern: Pattern, node: Node | undefined, value: JsonValue, before: Space): string {
  const { text, indent } = pattern;
  const own = node && text.slice(node.offset, node.offset + node.length);
  if (own !== undefined && equalJson(parseJson(own), value)) return own;
  const parts = node?.children?.length ? partsOf(pattern, node, value) : undefined;
  if (node && parts) return enclose(pattern, node, parts);
  return before.includes('\n')
    ? stringifyJson(value, indent).replaceAll('\n', lineOf(before))
    : stringifyJson(value);
}

/** What a part begins a line with. */
function lineOf(space: Space): string {
  return space.slice(space.lastIndexOf('\n'));
}

interface Part {
  readonly before: Space;
  readonly text: string;
}

/** Undefined for a value of another kind than the node. A part that the text doesn't have stands like the last one. */
function partsOf(pattern: Pattern, node: Node, value: JsonValue): readonly Part[] | undefined {
  const spaceOf = (child = node.children?.at(-1)): Space => spaceBefore(pattern, node, child);
  if (node.type === 'object' && isJsonObject(value)) return writeMembers(pattern, node, value, spaceOf);
  return node.type === 'array' && isJsonArray(value) ? writeItems(pattern, node, value, spaceOf) : undefined;
}

/** The white space between a child and what stands before it, without the comma. */
function spaceBefore({ text }: Pattern, { offset, children = [] }: Node, child: Node | undefined): Space {
  if (child === undefined) return '';
  const previous = children[children.indexOf(child) - 1];
  const start = previous === undefined ? offset + 1 : previous.offset + previous.length;
  return text.slice(start, child.offset).replace(',', '');
}

function enclose(
  { text }: Pattern,
  { type, offset, length, children = [] }: Node,
  parts: readonly Part[],
): string {
  const [open = '', close = ''] = type === 'object' ? '{}' : '[]';
  const last = children.at(-1);
  if (parts.length === 0 || last === undefined) return open + close;
  const end = text.slice(last.offset + last.length, offset + length - 1);
  return open + parts.map((part) => part.before + part.text).join(',') + end + close;
}

/** In the author's order; members that the text doesn't have come last. */
function writeMembers(
  pattern: Pattern,
  { children = [] }: Node,
  value: JsonObject,
  spaceOf: (child?: Node) => Space,
): readonly Part[] {
  const own = new Map(
    children.map((child) => {
      const [name, like] = child.children ?? [];
      const key = pattern.text.slice(child.offset, like?.offset);
      return [String(name?.value), { like, key, before: spaceOf(child) }];
    }),
  );
  const names = new Set([...own.keys(), ...Object.keys(value)]);
  return [...names].flatMap((name) => {
    const member = Object.hasOwn(value, name) ? value[name] : undefined;
    if (member === undefined) return [];
    const added = { like: undefined, key: `${stringifyJson(name)}: `, before: spaceOf() };
    const { like, key, before } = own.get(name) ?? added;
    return [{ before, text: key + write(pattern, like, member, before) }];
  });
}

/** Writes each item like its counterpart: the item with the same key, or else the item at the same index. */
function writeItems(
  pattern: Pattern,
  { children = [] }: Node,
  value: readonly JsonValue[],
  spaceOf: (child?: Node) => Space,
): readonly Part[] {
  const keyed = new Map(children.map((item) => [keyOf(parseItem(pattern, item)), item]));
  return value.map((item, place) => {
    const key = keyOf(item);
    const like = key === undefined ? children[place] : keyed.get(key);
    const before = spaceOf(like);
    return { before, text: write(pattern, like, item, before) };
  });
}

function parseItem({ text }: Pattern, { offset, length }: Node): JsonValue | undefined {
  return parseJson(text.slice(offset, offset + length));
}

function keyOf(item: JsonValue | undefined): string | undefined {
  return isJsonObject(item) ? itemKey(item) : undefined;
}
