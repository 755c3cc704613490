// Where a node's text has expressions that the local service evaluates. The text may be invalid JSON.
import type { Node } from 'jsonc-parser';
import { findAt, membersOf } from './jsonNodes.ts';
import { JsonString, type TextSpan } from './jsonString.ts';
import { evaluationKind, type syntaxKind } from './nodeTypes.ts';
import { endOf } from './range.ts';
import { findExpressions } from './templates.ts';

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
  /** The place in the text of a part of the expression. */
  readonly toSpan: (part: TextSpan) => TextSpan;
}

/** Longer strings are left out: they would block the editor. */
const maximumString = 20_000;

/** In text order. `how`: default: as the local service evaluates the members of a config. */
export function findExpressionPlaces(
  text: string,
  node: Node,
  { id: nodeId, type: nodeType }: { readonly id: string; readonly type: string },
  how: typeof syntaxKind = evaluationKind,
): readonly ExpressionPlace[] {
  const config = findAt(node, ['config']);
  return namedMembers(config).flatMap(([name, value]) => {
    const owner = { nodeId, nodeType, path: [name] };
    switch (how(nodeType, name, value.type === 'string')) {
      case 'expression':
        return findExpression(text, value, owner);
      case 'template':
        return findInTemplate(text, value, owner);
      case undefined:
        return [];
    }
  });
}

type ExpressionOwner = Pick<ExpressionPlace, 'nodeId' | 'nodeType' | 'path'>;

function findExpression(text: string, value: Node, owner: ExpressionOwner): readonly ExpressionPlace[] {
  if (value.type !== 'string' || value.length > maximumString) return [];
  const whole = new JsonString(text, value.offset);
  const { value: string } = whole;
  if (string.trim() === '') return [];
  const toSpan = (part: TextSpan): TextSpan => whole.toSpan(part);
  return [{ ...owner, part: 0, expression: string, string, start: value.offset, end: endOf(value), toSpan }];
}

function findInTemplate(text: string, value: Node, owner: ExpressionOwner): readonly ExpressionPlace[] {
  const within = (name: string): ExpressionOwner => ({ ...owner, path: [...owner.path, name] });
  switch (value.type) {
    case 'array':
      return (value.children ?? []).flatMap((item, index) =>
        findInTemplate(text, item, within(String(index))),
      );
    case 'object':
      return namedMembers(value).flatMap(([name, member]) => findInTemplate(text, member, within(name)));
    case 'string':
      return value.length <= maximumString ? findParts(new JsonString(text, value.offset), owner) : [];
    default:
      return [];
  }
}

function findParts(string: JsonString, owner: ExpressionOwner): readonly ExpressionPlace[] {
  return [...findExpressions(string.value)].flatMap(({ start, end, isClosed }, part) => {
    if (!isClosed) return [];
    const span = string.toSpan({ start: start - 2, end: end + 2 });
    const toSpan = (inner: TextSpan): TextSpan =>
      string.toSpan({ start: start + inner.start, end: start + inner.end });
    const expression = string.value.slice(start, end);
    return [{ ...owner, part, expression, string: string.value, ...span, toSpan }];
  });
}

function namedMembers(node: Node | undefined): readonly (readonly [string, Node])[] {
  return membersOf(node).map(([name, value]) => [String(name.value), value]);
}

/** From the root or not, and each name with quotation marks or without. */
const secretReference =
  /(?<![\w$.`"'])(?:\$\$?\s*\.\s*)?(?<mark>`?)secrets\k<mark>\s*\.\s*(?<quote>[`"']?)(?<name>[A-Za-z_]\w*)\k<quote>/g;

/** The names of the secrets that an expression reads, as far as they can be found without its syntax: it may be unfinished. */
export function secretsRead(expression: string): readonly string[] {
  return [...new Set([...expression.matchAll(secretReference)].map(({ groups }) => groups?.['name'] ?? ''))];
}
