// Where a definition's text names its nodes: where they are, in edges, and in expressions. What an expression computes isn't known.
import type { DefinitionNode } from './definitionNode.ts';
import type { DefinitionText } from './definitionText.ts';
import type { ExpressionPlace } from './expressionPlaces.ts';
import { KnownExpressions, type ExpressionReader, readExpression } from './expressions.ts';
import { JsonString, type TextSpan } from './jsonString.ts';
import { endOf, type Range } from './range.ts';
import { isQuoted, type ReferenceStep } from './references.ts';

export interface NodeIdPlace {
  readonly id: string;
  /** The node that has the id, an end of an edge, or an expression that reads the node. */
  readonly kind: 'node' | 'edge' | 'expression';
  /** The id alone. */
  readonly span: TextSpan;
  /** The part that another id replaces: in an expression, also the quotation marks of the name. */
  readonly written: TextSpan;
  /** In an expression: the character behind it. */
  readonly next?: string;
}

/** The id at an offset: within it, or beside its first or last character. */
export function findNodeId(definition: DefinitionText, offset: number): NodeIdPlace | undefined {
  const isAt = ({ start, end }: TextSpan): boolean => start <= offset && offset <= end;
  const around = definition.nodes.filter((node) => isAt({ start: node.offset, end: endOf(node) }));
  const isPlaceAt = ({ written }: NodeIdPlace): boolean => isAt(written);
  return (
    around.flatMap((node) => idsOf(definition, node)).find(isPlaceAt) ??
    idsInEdges(definition).find(isPlaceAt) ??
    around
      .flatMap(({ writtenExpressions }) => writtenExpressions.filter(isAt))
      .flatMap((place) => idsIn(place, readExpression))
      .find(isPlaceAt)
  );
}

/** The nodes that have an id, and where it stands in each; it's a fault if there are several. */
export function listNodes(
  { nodes, text }: DefinitionText,
  id: string,
): readonly { readonly node: DefinitionNode; readonly span: TextSpan }[] {
  return nodes
    .filter((node) => node.id === id)
    .map((node) => ({ node, span: new JsonString(text, node.idRange.offset).span }));
}

/** All places of an id, in text order. */
export function listNodeIds(definition: DefinitionText, id: string): readonly NodeIdPlace[] {
  const { nodes } = definition;
  const { read } = new KnownExpressions();
  return [
    ...nodes.flatMap((node) => idsOf(definition, node)),
    ...idsInEdges(definition),
    ...nodes
      .flatMap(({ writtenExpressions }) => writtenExpressions)
      .filter(({ expression }) => mayName(expression, id))
      .flatMap((place) => idsIn(place, read)),
  ]
    .filter((place) => place.id === id)
    .sort((left, right) => left.span.start - right.span.start);
}

function idsOf({ text }: DefinitionText, { id, idRange }: DefinitionNode): readonly NodeIdPlace[] {
  return id === '' ? [] : [placeIn(text, 'node', { id, ...idRange })];
}

/** Connections that leave the same node share its name. */
function idsInEdges({ text, edges }: DefinitionText): readonly NodeIdPlace[] {
  const ends = new Map(edges.flatMap(({ ends }) => ends.map((end) => [end.offset, end] as const)));
  return [...ends.values()].map((end) => placeIn(text, 'edge', end));
}

/** `id`: with the place of the JSON string that it's in. */
function placeIn(
  text: string,
  kind: NodeIdPlace['kind'],
  { id, offset }: Range & { readonly id: string },
): NodeIdPlace {
  const { span } = new JsonString(text, offset);
  return { id, kind, span, written: span };
}

/** Whether it's worth parsing: a name can be written with escapes. */
function mayName(expression: string, id: string): boolean {
  return expression.includes('\\') || (expression.includes('nodes') && expression.includes(id));
}

function idsIn({ expression, toSpan }: ExpressionPlace, read: ExpressionReader): readonly NodeIdPlace[] {
  return read(expression).references.flatMap(([root, node]) =>
    root.name === 'nodes' && node !== undefined ? [placeOf(node, expression, toSpan)] : [],
  );
}

function placeOf(
  { name, offset, length }: ReferenceStep,
  expression: string,
  toSpan: ExpressionPlace['toSpan'],
): NodeIdPlace {
  const end = offset + length;
  const marks = isQuoted(expression.slice(offset, end)) ? 1 : 0;
  return {
    id: name,
    kind: 'expression',
    span: toSpan({ start: offset + marks, end: end - marks }),
    written: toSpan({ start: offset, end }),
    next: expression.charAt(end),
  };
}
