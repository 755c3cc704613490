// The syntax of the expressions in the nodes' configs.
import * as l10n from '@vscode/l10n';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';
import { type DefinitionFault, nameNode } from './definitionFault.ts';
import type { FindSyntaxFault } from './expressions.ts';
import { expressionMembers, isNodeType } from './nodeTypes.ts';
import { findExpressions } from './templates.ts';

/** A node as far as its expressions need it. Its type may be unknown. */
interface CheckedNode {
  readonly id: string;
  readonly type: string;
  readonly config: JsonObject;
}

/** An expression and its place in the string at a path. */
interface ListedExpression {
  readonly expression: string;
  readonly path: readonly string[];
  readonly start: number;
}

/** Yields the expressions of nodes whose types the local service knows; how others write theirs isn't known. */
function* listExpressions(nodes: readonly CheckedNode[]): Generator<ListedExpression> {
  for (const [index, { type, config }] of nodes.entries()) {
    if (type === 'trigger' || !isNodeType(type)) continue;
    for (const [member, value] of Object.entries(config)) {
      const path = ['nodes', String(index), 'config', member];
      if (expressionMembers.has(member) && typeof value === 'string')
        yield { expression: value, path, start: 0 };
      else yield* listTemplates(value, path);
    }
  }
}

function* listTemplates(value: JsonValue, path: readonly string[]): Generator<ListedExpression> {
  if (typeof value === 'string') {
    for (const { start, end, isClosed } of findExpressions(value))
      if (isClosed) yield { expression: value.slice(start, end), path, start };
  } else if (isJsonArray(value)) {
    for (const [index, item] of value.entries()) yield* listTemplates(item, [...path, String(index)]);
  } else if (isJsonObject(value)) {
    for (const [name, item] of Object.entries(value)) yield* listTemplates(item, [...path, name]);
  }
}

export function checkExpressions(
  nodes: readonly CheckedNode[],
  findFault: FindSyntaxFault,
): readonly DefinitionFault[] {
  const faults: DefinitionFault[] = [];
  for (const { expression, path, start } of listExpressions(nodes)) {
    const found = findFault(expression);
    if (found === undefined) continue;
    const node = nodes[Number(path[1])];
    const message = l10n.t(
      'the expression in "{0}" of {1} isn\'t valid: {2}',
      path.at(-1) ?? '',
      nameNode(node?.id ?? ''),
      found.reason,
    );
    faults.push({
      path,
      message,
      rule: 'nodeType',
      within: { offset: start + found.offset, length: found.length },
    });
  }
  return faults;
}
