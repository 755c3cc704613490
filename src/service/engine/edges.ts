// Which edges an execution follows, and what a node receives on them.
import { loopBranches, type WorkflowEdge, type WorkflowNode } from '../../definition/definition.ts';
import { parseJson } from '../../base/json.ts';
import { JsonText, writeJson } from '../jsonText.ts';
import { ScopeValue } from '../../definition/expressionScope.ts';
import type { Scope } from './loop.ts';
import { isForEach } from '../../definition/nodeTypes.ts';

export const nothing = new ScopeValue('null');

/** Returns true when the execution follows the edge after the node gave the value. A condition can also give "error" as its branch. */
export function leads(node: WorkflowNode, edge: WorkflowEdge, value: ScopeValue): boolean {
  if (node.type === 'condition') return edge.branch === branchOf(value);
  if (isForEach(node.type)) return edge.branch === loopBranches.done;
  return edge.branch === null;
}

/** A condition's output is a string, true or false. */
function branchOf({ text }: ScopeValue): string {
  const branch = parseJson(text);
  return typeof branch === 'string' ? branch : text;
}

/** Returns a node's input: the predecessor's output, or an object with the output of each predecessor by its id. */
export function receive(incoming: readonly WorkflowEdge[], scope: Scope): ScopeValue {
  const [only, ...others] = incoming;
  if (only === undefined) return scope.input;
  if (others.length === 0) return valueOn(only, scope);
  const members = incoming.map((edge) => [edge.source, new JsonText(valueOn(edge, scope).text)] as const);
  return new ScopeValue(writeJson(Object.fromEntries(members)));
}

/** In its body, a for-each gives the item: it has no output yet. */
function valueOn({ source, branch }: WorkflowEdge, { nodes, loop }: Scope): ScopeValue {
  return nodes.get(source) ?? (branch === loopBranches.each ? loop?.item : undefined) ?? nothing;
}
