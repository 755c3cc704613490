// A misspelt expression is better told at deployment than at the first execution.
import { findSyntaxFault } from '../sandbox/expression.ts';
import { readTemplate } from '../sandbox/template.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../../base/json.ts';
import type { Fault } from './faults.ts';
import type { WorkflowNode } from './definition.ts';

/** Members of a config that are JSONata as a whole; every other text may hold `{{ … }}`. */
const expressionMembers = new Set(['expression', 'items', 'result']);

/** The syntax faults of all expressions. */
export function checkExpressions(nodes: readonly WorkflowNode[]): Fault[] {
  return nodes.flatMap((node, index) =>
    node.type === 'trigger'
      ? []
      : Object.entries(node.config).flatMap(([member, value]) => {
          const path = `nodes.${index}.config.${member}`;
          return expressionMembers.has(member) && typeof value === 'string'
            ? checkOne(value, path)
            : checkTemplates(value, path);
        }),
  );
}

function checkTemplates(value: JsonValue, path: string): Fault[] {
  if (typeof value === 'string')
    return readTemplate(value).expressions.flatMap((expression) => checkOne(expression, path));
  if (isJsonArray(value)) return value.flatMap((item, index) => checkTemplates(item, `${path}.${index}`));
  if (isJsonObject(value))
    return Object.entries(value).flatMap(([name, item]) => checkTemplates(item, `${path}.${name}`));
  return [];
}

function checkOne(expression: string, path: string): Fault[] {
  const fault = findSyntaxFault(expression);
  return fault === undefined ? [] : [{ path, message: `The expression cannot be read: ${fault}` }];
}
