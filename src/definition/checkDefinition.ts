// The check before a deployment: the JSON Schema, the rules of the graph, and the syntax of expressions. Runs in a worker.
import schema from '../../media/workflow-definition.schema.json' with { type: 'json' };
import { isJsonArray, isJsonObject, type JsonValue } from '../base/json.ts';
import {
  loopBranches,
  readEdges,
  readNodes,
  type WorkflowDefinition,
  type WorkflowEdge,
  type WorkflowNode,
} from './definition.ts';
import { findSyntaxFault } from './expressions.ts';
import { expressionMembers, readTemplate } from './templates.ts';
import { type Fault, type Faults, firstFaults, schemaFaults } from './faults.ts';
import { createGraph, type Graph } from './graph.ts';

/** Returns the faults that prevent deployment. */
export function checkDefinition({ nodes, edges, settings }: WorkflowDefinition): Faults {
  const faults = schemaFaults(schema, '7', { nodes, edges, settings });
  if (faults.faults.length > 0) return faults;
  const readable = readNodes({ nodes, edges, settings });
  return firstFaults([
    ...checkGraph(readable, readEdges({ nodes, edges, settings })),
    ...checkExpressions(readable),
  ]);
}

/** Requires one trigger, unique ids, edges between known nodes, valid branches, no cycles, reachable nodes and closed loops. */
function checkGraph(nodes: readonly WorkflowNode[], edges: readonly WorkflowEdge[]): Fault[] {
  const faults = [...checkNodes(nodes), ...checkEdges(nodes, edges)];
  if (faults.length > 0) return faults;
  const graph = createGraph(nodes, edges);
  const ordered = new Set(graph.order.map((node) => node.id));
  const trigger = nodes.filter((node) => node.type === 'trigger').map((node) => node.id);
  const reachable = graph.reachableFrom(trigger);
  return nodes.flatMap((node, index) => {
    const path = `nodes.${index}`;
    if (!reachable.has(node.id))
      return [{ path, message: `"${node.id}" cannot be reached from the trigger.` }];
    if (!ordered.has(node.id)) return [{ path, message: `"${node.id}" is part of a cycle, or follows one.` }];
    const loop = graph.entered.get(node.id);
    if (loop !== undefined)
      return [
        { path, message: `"${node.id}" is in the body of "${loop}" and is led to from outside of it.` },
      ];
    return node.type === 'forEach' ? checkLoop(graph, node, path) : checkPlace(graph, node, path);
  });
}

function checkNodes(nodes: readonly WorkflowNode[]): Fault[] {
  const faults: Fault[] = [];
  const triggers = nodes.filter((node) => node.type === 'trigger');
  if (triggers.length !== 1)
    faults.push({ path: 'nodes', message: `There must be exactly one trigger, not ${triggers.length}.` });
  const seen = new Set<string>();
  for (const [index, { id }] of nodes.entries()) {
    if (seen.has(id)) faults.push({ path: `nodes.${index}.id`, message: `The id "${id}" is used twice.` });
    seen.add(id);
  }
  return faults;
}

function checkEdges(nodes: readonly WorkflowNode[], edges: readonly WorkflowEdge[]): Fault[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  return edges.flatMap((edge, index) => {
    const path = `edges.${index}`;
    const source = byId.get(edge.source);
    const target = byId.get(edge.target);
    if (!source) return [{ path: `${path}.source`, message: `There is no node "${edge.source}".` }];
    if (!target) return [{ path: `${path}.target`, message: `There is no node "${edge.target}".` }];
    if (target.type === 'trigger')
      return [{ path: `${path}.target`, message: 'Nothing can lead to the trigger.' }];
    return checkBranch(source, edge, `${path}.branch`);
  });
}

function checkBranch(source: WorkflowNode, { branch }: WorkflowEdge, path: string): Fault[] {
  if (source.type === 'condition')
    return branch === null ? [{ path, message: 'An edge out of a condition must name its branch.' }] : [];
  if (source.type === 'forEach')
    return branch === loopBranches.each || branch === loopBranches.done
      ? []
      : [{ path, message: 'An edge out of a for-each must have the branch "each" or "done".' }];
  return branch === null
    ? []
    : [{ path, message: 'Only edges out of a condition or a for-each have a branch.' }];
}

function checkLoop(graph: Graph, loop: WorkflowNode, path: string): Fault[] {
  return graph.body(loop.id).length === 0
    ? [{ path, message: `"${loop.id}" has no edge with the branch "each" that leads into its body.` }]
    : [];
}

function checkPlace(graph: Graph, node: WorkflowNode, path: string): Fault[] {
  return node.type === 'output' && graph.owner(node.id) !== null
    ? [{ path, message: 'An output cannot stand inside the body of a for-each.' }]
    : [];
}

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
  return fault === undefined ? [] : [{ path, message: `The expression cannot be read: ${fault.reason}` }];
}
