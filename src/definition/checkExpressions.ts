// The expressions in the nodes' configs: their syntax, and what they read.
import * as l10n from '@vscode/l10n';
import { isJsonArray, isJsonObject, type JsonValue } from '../base/json.ts';
import { type FoundFault, nameNode } from './definitionFault.ts';
import { ReferenceCheck, type Reading, type ReadingNode } from './checkReferences.ts';
import type { Read, SyntaxFault } from './expressions.ts';
import type { Graph } from './graph.ts';
import { howWritten, isNodeType } from './nodeTypes.ts';
import { findExpressions } from './templates.ts';

/** An expression and its place in the string at a path. */
interface ListedExpression extends Reading {
  readonly expression: string;
}

/** Yields the expressions of nodes whose types the local service knows; how others write theirs isn't known. */
function* listExpressions(nodes: readonly ReadingNode[]): Generator<ListedExpression> {
  for (const [index, node] of nodes.entries()) {
    if (node.type === 'trigger' || !isNodeType(node.type)) continue;
    for (const [member, value] of Object.entries(node.config)) {
      const path = ['nodes', String(index), 'config', member];
      if (typeof value === 'string' && howWritten(node.type, member, true) === 'expression')
        yield { node, expression: value, path, start: 0 };
      else yield* listTemplates(node, value, path);
    }
  }
}

function* listTemplates(
  node: ReadingNode,
  value: JsonValue,
  path: readonly string[],
): Generator<ListedExpression> {
  if (typeof value === 'string') {
    for (const { start, end, isClosed } of findExpressions(value))
      if (isClosed) yield { node, expression: value.slice(start, end), path, start };
  } else if (isJsonArray(value)) {
    for (const [index, item] of value.entries()) yield* listTemplates(node, item, [...path, String(index)]);
  } else if (isJsonObject(value)) {
    for (const [name, item] of Object.entries(value)) yield* listTemplates(node, item, [...path, name]);
  }
}

/** `graph`: undefined if it has faults. */
export function checkExpressions(
  nodes: readonly ReadingNode[],
  graph: Graph<ReadingNode> | undefined,
  read: Read,
): readonly FoundFault[] {
  const references = new ReferenceCheck(nodes, graph);
  return [...listExpressions(nodes)].flatMap((listed) => {
    const found = read(listed.expression);
    return found.fault ? [syntaxFault(listed, found.fault)] : references.check(listed, found.references);
  });
}

function syntaxFault({ node, path, start }: Reading, { reason, offset, length }: SyntaxFault): FoundFault {
  const message = l10n.t(
    'the expression in "{0}" of {1} isn\'t valid: {2}',
    path.at(-1) ?? '',
    nameNode(node.id),
    reason,
  );
  return { path, message, rule: 'nodeType', within: { offset: start + offset, length } };
}
