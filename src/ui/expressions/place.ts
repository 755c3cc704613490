// What stands at an offset of a definition's text: an end of an edge, a branch, a node's type, or an expression. The text may be unfinished.
import { getLocation, type JSONPath } from 'jsonc-parser';
import { stringifyJson } from '../../base/json.ts';
import type { DefinitionNode } from '../../definition/definitionNode.ts';
import type { DefinitionEdge } from '../../definition/definitionEdges.ts';
import type { DefinitionText } from '../../definition/definitionText.ts';
import { expressionMembers, traitsOf } from '../../definition/nodeTypes.ts';
import { findExpressions } from '../../definition/templates.ts';
import { escapeForJson, JsonString, type TextSpan } from '../../definition/jsonString.ts';
import { definitionFormats } from '../../domain/definitionFormat.ts';

/** A value in an edge. */
interface EdgePlace {
  readonly definition: DefinitionText;
  /** undefined while it has no shape. */
  readonly edge: DefinitionEdge | undefined;
  /** What is replaced. */
  readonly span: TextSpan;
  /** Writes a value in the form that belongs into the span. */
  readonly write: (value: string) => string;
}

/** JSONata inside a JSON string. */
export interface CodePlace {
  readonly kind: 'code';
  readonly definition: DefinitionText;
  readonly node: DefinitionNode;
  /** The config member it belongs to. */
  readonly member: string;
  /** True directly after the `{{` of a template. */
  readonly isOpened: boolean;
  readonly code: string;
  /** The cursor, as an index in the code. */
  readonly cursor: number;
  /** The place in the text of a part of the code. */
  readonly toSpan: (part: TextSpan) => TextSpan;
  /** Writes code in the form that belongs into a span. */
  readonly write: (code: string) => string;
}

export type CursorPlace =
  | (EdgePlace & { readonly kind: 'source' | 'target' | 'branch' })
  | CodePlace
  | { readonly kind: 'type'; readonly type: string; readonly span: TextSpan }
  /** The text of a template, outside of `{{ … }}`. */
  | { readonly kind: 'template'; readonly span: TextSpan };

/** Longer strings get no help: it would hold up the editor. */
const maximumString = 20_000;

export function findPlace(definition: DefinitionText, offset: number): CursorPlace | undefined {
  const { text, reading, format } = definition;
  // What is offered and explained is what a service's document is made of.
  if (reading.root === undefined || definitionFormats[format].hasOwnExpressions) return undefined;
  const { path, isAtPropertyKey, previousNode } = getLocation(text, offset);
  if (isAtPropertyKey) return undefined;
  const string = previousNode?.type === 'string' ? readAround(text, previousNode.offset, offset) : undefined;
  if (previousNode !== undefined && string === undefined) return undefined;
  if (path[0] === 'edges') return findInEdge(definition, offset, path, string);
  const node = findBefore(definition.nodes, offset);
  if (path[0] === 'nodes' && path[2] === 'type' && path.length === 3)
    return string && { kind: 'type', type: string.value, span: string.span };
  const isConfig = path[0] === 'nodes' && path[2] === 'config';
  if (node === undefined || string === undefined || !isConfig || node.type === 'trigger') return undefined;
  return findInConfig(string, offset, { definition, node }, path.slice(3));
}

/** Returns the string if the offset is between its quotation marks. */
function readAround(text: string, quote: number, offset: number): JsonString | undefined {
  if (offset <= quote) return undefined;
  const string = new JsonString(text.slice(0, quote + maximumString), quote);
  return offset <= string.span.end ? string : undefined;
}

/** The last of these in the text that begins before an offset: the one that it's in, also where its end is missing. */
function findBefore<T extends { readonly offset: number }>(all: readonly T[], offset: number): T | undefined {
  return all.findLast((each) => each.offset < offset);
}

function findInEdge(
  definition: DefinitionText,
  offset: number,
  [, , kind, ...rest]: JSONPath,
  string: JsonString | undefined,
): CursorPlace | undefined {
  if ((kind !== 'source' && kind !== 'target' && kind !== 'branch') || rest.length > 0) return undefined;
  const { text, edges } = definition;
  const edge = findBefore(edges, offset);
  if (string !== undefined) return { kind, definition, edge, span: string.span, write: escapeForJson };
  const start = offset - (/[\w-]*$/.exec(text.slice(Math.max(0, offset - 100), offset))?.[0].length ?? 0);
  const end = offset + (/^[\w-]*/.exec(text.slice(offset, offset + 100))?.[0].length ?? 0);
  return { kind, definition, edge, span: { start, end }, write: (value) => stringifyJson(value) };
}

function findInConfig(
  string: JsonString,
  offset: number,
  { definition, node }: Pick<CodePlace, 'definition' | 'node'>,
  [member, ...rest]: JSONPath,
): CursorPlace | undefined {
  const cursor = string.indexOf(offset);
  const isTemplate = !expressionMembers.has(String(member)) || rest.length > 0;
  const part = isTemplate
    ? [...findExpressions(string.value)].find(({ start, end }) => start <= cursor && cursor <= end)
    : { start: 0, end: string.value.length };
  if (part === undefined) {
    const isFilled = traitsOf(node.type)?.templates?.includes(String(member)) === true;
    return isFilled
      ? { kind: 'template', span: string.toSpan({ start: openedBefore(string.value, cursor), end: cursor }) }
      : undefined;
  }
  return {
    kind: 'code',
    definition,
    node,
    member: String(member),
    isOpened: isTemplate && cursor === part.start,
    code: string.value.slice(part.start, part.end),
    cursor: cursor - part.start,
    toSpan: ({ start, end }) => string.toSpan({ start: start + part.start, end: end + part.start }),
    write: escapeForJson,
  };
}

/** The index of a single `{` before the cursor, which a completion takes in. */
function openedBefore(value: string, cursor: number): number {
  return value.charAt(cursor - 1) === '{' ? cursor - 1 : cursor;
}
