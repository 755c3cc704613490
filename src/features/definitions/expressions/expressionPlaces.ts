// Where a definition's text has expressions that the local service evaluates. The text may be invalid JSON. Pure.
import { findNodeAtLocation, type Node } from 'jsonc-parser';
import type { NodeType } from '../../../definition/definition.ts';
import { JsonString } from '../../../definition/jsonString.ts';
import { findExpressions } from '../../../definition/templates.ts';
import { readUnfinishedJsonTree } from '../../../ui/jsonText.ts';

/** An expression in a string of a node's config. */
export interface ExpressionPlace {
  readonly nodeId: string;
  readonly nodeType: string;
  /** The path of the string from the node's config. */
  readonly path: readonly string[];
  /** Which of the string's expressions it is, from 0. */
  readonly part: number;
  readonly expression: string;
  /** The whole string. */
  readonly string: string;
  /** In UTF-16 units of the text, with the quotation marks or the `{{ }}` around it. */
  readonly start: number;
  readonly end: number;
}

/** A node that has expressions. */
export interface NodeExpressions {
  readonly nodeId: string;
  readonly offset: number;
  readonly length: number;
  readonly places: readonly ExpressionPlace[];
}

/** Longer strings are left out: they would hold up the editor. */
const maximumString = 20_000;

/** What each type of the local service evaluates: members that are an expression, and those whose strings are filled; "*" is all of them. */
const evaluated: Readonly<
  Partial<Record<string, { readonly code?: readonly string[]; readonly filled?: readonly string[] }>>
> = {
  transform: { code: ['expression'] },
  condition: { code: ['expression'] },
  output: { code: ['expression'] },
  forEach: { code: ['items', 'result'] },
  log: { filled: ['message'] },
  fail: { filled: ['message'] },
  delay: { filled: ['*'] },
  httpRequest: { filled: ['*'] },
  portalEvent: { filled: ['data'] },
} satisfies Partial<Record<NodeType, object>>;

/** In text order. Of several nodes with the same id only the first one counts. */
export function findNodeExpressions(text: string): readonly NodeExpressions[] {
  const root = readUnfinishedJsonTree(text);
  const nodes = root && findNodeAtLocation(root, ['nodes']);
  if (nodes?.type !== 'array') return [];
  const found = new Map<string, NodeExpressions>();
  for (const node of nodes.children ?? []) {
    const nodeId = textAt(node, 'id');
    if (nodeId === '' || found.has(nodeId)) continue;
    const { offset, length } = node;
    found.set(nodeId, { nodeId, offset, length, places: [...findPlaces(text, node, nodeId)] });
  }
  return [...found.values()].filter(({ places }) => places.length > 0);
}

function* findPlaces(text: string, node: Node, nodeId: string): Generator<ExpressionPlace> {
  const nodeType = textAt(node, 'type');
  const members = evaluated[nodeType];
  const config = findNodeAtLocation(node, ['config']);
  if (members === undefined || config?.type !== 'object') return;
  for (const [name, value] of membersOf(config)) {
    const of = { nodeId, nodeType, path: [name] };
    if (members.code?.includes(name) === true) yield* findCode(text, value, of);
    else if (members.filled?.some((each) => each === name || each === '*') === true)
      yield* findFilled(text, value, of);
  }
}

type Owner = Pick<ExpressionPlace, 'nodeId' | 'nodeType' | 'path'>;

function* findCode(text: string, value: Node, owner: Owner): Generator<ExpressionPlace> {
  if (value.type !== 'string' || value.length > maximumString) return;
  const { value: string } = new JsonString(text, value.offset);
  if (string.trim() === '') return;
  const end = value.offset + value.length;
  yield { ...owner, part: 0, expression: string, string, start: value.offset, end };
}

function* findFilled(text: string, value: Node, owner: Owner): Generator<ExpressionPlace> {
  if (value.type === 'array') {
    for (const [index, item] of (value.children ?? []).entries())
      yield* findFilled(text, item, { ...owner, path: [...owner.path, String(index)] });
  } else if (value.type === 'object') {
    for (const [name, member] of membersOf(value))
      yield* findFilled(text, member, { ...owner, path: [...owner.path, name] });
  } else if (value.type === 'string' && value.length <= maximumString) {
    const string = new JsonString(text, value.offset);
    for (const [part, { start, end, isClosed }] of [...findExpressions(string.value)].entries()) {
      if (!isClosed) continue;
      const span = string.toSpan({ start: start - 2, end: end + 2 });
      const expression = string.value.slice(start, end);
      yield { ...owner, part, expression, string: string.value, ...span };
    }
  }
}

function* membersOf(object: Node): Generator<readonly [string, Node]> {
  for (const { children } of object.children ?? []) {
    const [key, value] = children ?? [];
    const name: unknown = key?.value;
    if (typeof name === 'string' && value !== undefined) yield [name, value];
  }
}

function textAt(node: Node, member: string): string {
  const value: unknown = findNodeAtLocation(node, [member])?.value;
  return typeof value === 'string' ? value : '';
}
