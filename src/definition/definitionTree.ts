// The nodes, edges and expressions of a definition with their places in its text, which may be unfinished. Reads JSON trees, as
// ui/jsonText.ts returns them.
import { findNodeAtLocation, findNodeAtOffset, getNodePath, type Node } from 'jsonc-parser';
import type { Stretch } from './stretch.ts';
import { expressionMembers, templateMarks } from './templates.ts';

/** A string and where it stands, with its quotation marks. */
interface PlacedText extends Stretch {
  readonly value: string;
}

/** An object of `nodes`; its members are undefined where they are missing or no text. */
export interface PlacedNode extends Stretch {
  /** In `nodes`. */
  readonly index: number;
  readonly id: PlacedText | undefined;
  readonly name: PlacedText | undefined;
  readonly type: PlacedText | undefined;
  readonly config: Node | undefined;
}

export interface PlacedEdge extends Stretch {
  /** In `edges`. */
  readonly index: number;
  readonly source: PlacedText | undefined;
  readonly target: PlacedText | undefined;
  /** Only if it's a text. */
  readonly branch: PlacedText | undefined;
}

export function readPlacedNodes(root: Node): readonly PlacedNode[] {
  return objectsOf(root, 'nodes').map(({ object, index }) => ({
    index,
    ...stretchOf(object),
    id: textAt(object, 'id'),
    name: textAt(object, 'name'),
    type: textAt(object, 'type'),
    config: findNodeAtLocation(object, ['config']),
  }));
}

export function readPlacedEdges(root: Node): readonly PlacedEdge[] {
  return objectsOf(root, 'edges').map(({ object, index }) => ({
    index,
    ...stretchOf(object),
    source: textAt(object, 'source'),
    target: textAt(object, 'target'),
    branch: textAt(object, 'branch'),
  }));
}

function stretchOf({ offset, length }: Node): Stretch {
  return { offset, length };
}

function objectsOf(root: Node, list: 'nodes' | 'edges'): { object: Node; index: number }[] {
  const found = findNodeAtLocation(root, [list]);
  const items = found?.type === 'array' ? (found.children ?? []) : [];
  return items.map((object, index) => ({ object, index })).filter(({ object }) => object.type === 'object');
}

function textAt(object: Node, member: string): PlacedText | undefined {
  const found = findNodeAtLocation(object, [member]);
  const value: unknown = found?.value;
  return found?.type === 'string' && typeof value === 'string' ? { ...stretchOf(found), value } : undefined;
}

/** An expression around an offset of the text. */
export interface PlacedExpression {
  /** The index in `nodes` of the node that it belongs to. */
  readonly nodeIndex: number;
  /** As JSONata reads it, without JSON's escapes. */
  readonly expression: string;
  /** The place of the offset in the expression. */
  readonly cursor: number;
  /** Converts a place in the expression to an offset of the text. */
  readonly toOffset: (index: number) => number;
}

/** Returns the expression at an offset. The `{{` of a template may be unfinished: its expression then goes on to the end of the string. */
export function findExpressionAt(text: string, root: Node, offset: number): PlacedExpression | undefined {
  const string = findNodeAtOffset(root, offset, true);
  const value: unknown = string?.value;
  if (string?.type !== 'string' || typeof value !== 'string' || isPropertyName(string)) return undefined;
  const [list, nodeIndex, config, member, ...inner] = getNodePath(string);
  if (list !== 'nodes' || typeof nodeIndex !== 'number' || config !== 'config') return undefined;
  if (member === undefined) return undefined;
  const isTrigger = findNodeAtLocation(root, ['nodes', nodeIndex, 'type'])?.value === 'trigger';
  const place = placeInValue(text, string, offset);
  if (isTrigger || place === undefined) return undefined;
  const isWhole = inner.length === 0 && expressionMembers.has(String(member));
  const range = isWhole ? { start: 0, end: value.length } : findTemplateExpression(value, place);
  if (range === undefined) return undefined;
  return {
    nodeIndex,
    expression: value.slice(range.start, range.end),
    cursor: place - range.start,
    toOffset: (index) => offsetInText(text, string, range.start + index),
  };
}

function isPropertyName(node: Node): boolean {
  return node.parent?.type === 'property' && node.parent.children?.[0] === node;
}

function findTemplateExpression(
  value: string,
  place: number,
): { readonly start: number; readonly end: number } | undefined {
  const { open, close } = templateMarks;
  const opened = place < open.length ? -1 : value.lastIndexOf(open, place - open.length);
  if (opened === -1) return undefined;
  const start = opened + open.length;
  const end = value.indexOf(close, start);
  if (end !== -1 && end < place) return undefined;
  return { start, end: end === -1 ? value.length : end };
}

/** Returns the offset in the text at which a UTF-16 unit of a JSON string's value begins. */
export function offsetInText(text: string, string: Stretch, index: number): number {
  let offset = string.offset + 1;
  for (let passed = 0; passed < index; passed += 1) offset += unitLength(text, offset);
  return offset;
}

/** The reverse; undefined outside the quotation marks. */
function placeInValue(text: string, string: Stretch, offset: number): number | undefined {
  const isClosed = string.length > 1 && text[string.offset + string.length - 1] === '"';
  const end = string.offset + string.length - (isClosed ? 1 : 0);
  if (offset <= string.offset || offset > end) return undefined;
  let place = 0;
  for (let at = string.offset + 1; at < offset; at += unitLength(text, at)) place += 1;
  return place;
}

/** How many characters of JSON stand for one UTF-16 unit: 1, or those of an escape. */
function unitLength(text: string, offset: number): number {
  if (text[offset] !== '\\') return 1;
  return text[offset + 1] === 'u' ? 6 : 2;
}
