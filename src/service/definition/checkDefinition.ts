import schema from '../../../media/workflow-definition.schema.json' with { type: 'json' };
import { isJsonArray, isJsonObject, type JsonValue } from '../../base/json.ts';
import { findSyntaxFault } from '../sandbox/expression.ts';
import { readTemplate } from '../sandbox/template.ts';
import { checkGraph } from './checkGraph.ts';
import { readEdges, readNodes, type WorkflowEdge, type WorkflowNode } from './definition.ts';
import { type Fault, type Faults, firstFaults } from './faults.ts';
import { schemaFaults } from './schemaFaults.ts';
import type { WorkflowDefinition } from '../store/workflows.ts';

/** Returns the faults that prevent deployment. */
export function checkDefinition({ nodes, edges, settings }: WorkflowDefinition): Faults {
  const faults = schemaFaults(schema, '7', { nodes, edges, settings });
  if (faults.faults.length > 0) return faults;
  const readable: { nodes: WorkflowNode[]; edges: WorkflowEdge[] } = {
    nodes: readNodes({ nodes, edges, settings }),
    edges: readEdges({ nodes, edges, settings }),
  };
  return firstFaults([...checkGraph(readable.nodes, readable.edges), ...checkExpressions(readable.nodes)]);
}

/** Config members that are JSONata expressions as a whole; all other strings can contain `{{ … }}`. */
const expressionMembers = new Set(['expression', 'items', 'result']);

function checkExpressions(nodes: readonly WorkflowNode[]): Fault[] {
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
