// Runs a definition node by node. It's deterministic, so a resumed execution follows the same path.
import {
  errorBranch,
  loopBranches,
  readEdges,
  readNodes,
  type WorkflowDefinition,
  type WorkflowEdge,
  type WorkflowNode,
} from '../../definition/definition.ts';
import { createGraph, type Graph } from '../../definition/graph.ts';
import { parseJson } from '../../base/json.ts';
import { JsonText, writeJson } from '../jsonText.ts';
import { NodeFailedError } from './errors.ts';
import type { NodeRunner } from './nodeRunner.ts';
import { ScopeValue } from '../../definition/expressionScope.ts';
import type { Scope } from './loop.ts';

const nothing = new ScopeValue('null');

/** The outputs of a scope. */
interface ScopeResult {
  /** undefined when no output node ran. */
  readonly output: ScopeValue | undefined;
  /** The output of the node that ran last. */
  readonly last: ScopeValue;
  readonly nodes: ReadonlyMap<string, ScopeValue>;
}

/** Runs a definition and returns its output as JSON. Rejects with a NodeFailedError when a node failed after its last attempt. */
export async function interpret(
  definition: WorkflowDefinition,
  input: ScopeValue,
  runner: NodeRunner,
): Promise<string> {
  const graph = createGraph(readNodes(definition), readEdges(definition));
  const scope: Scope = { input, nodes: new Map(), iteration: [], loop: null };
  const { output = nothing } = await runScope(graph, null, scope, [], runner);
  return output.text;
}

/** Runs the nodes of a loop's body in order; null as `owner` runs the nodes outside loops. */
async function runScope(
  graph: Graph,
  owner: string | null,
  outer: Scope,
  entries: readonly WorkflowEdge[],
  runner: NodeRunner,
): Promise<ScopeResult> {
  const taken = new Set(entries);
  const nodes = new Map(outer.nodes);
  const scope: Scope = { ...outer, nodes };
  let output: ScopeValue | undefined;
  let last = nothing;
  for (const node of graph.body(owner)) {
    const incoming = graph.incoming(node.id).filter((edge) => taken.has(edge));
    if (incoming.length === 0 && node.type !== 'trigger') {
      await runner.skip(node, scope, 'branch not taken');
      continue;
    }
    const received = receive(incoming, scope);
    const outgoing = graph.outgoing(node.id);
    const onError = outgoing.filter(({ branch }) => branch === errorBranch);
    const result = await runNode(graph, node, scope, received, runner).catch((error: unknown) => {
      if (onError.length > 0 && error instanceof NodeFailedError && error.nodeId === node.id) return error;
      throw error;
    });
    const hasFailed = result instanceof NodeFailedError;
    last = hasFailed ? new ScopeValue(JSON.stringify({ error: result.failure })) : result;
    nodes.set(node.id, last);
    if (node.type === 'output') output = last;
    for (const edge of hasFailed ? onError : outgoing.filter((each) => leads(node, each, result)))
      taken.add(edge);
  }
  return { output, last, nodes };
}

function runNode(
  graph: Graph,
  node: WorkflowNode,
  scope: Scope,
  received: ScopeValue,
  runner: NodeRunner,
): Promise<ScopeValue> {
  return node.type === 'forEach'
    ? runLoop(graph, node, scope, received, runner)
    : runner.run(node, scope, received);
}

async function runLoop(
  graph: Graph,
  loop: WorkflowNode,
  scope: Scope,
  received: ScopeValue,
  runner: NodeRunner,
): Promise<ScopeValue> {
  const entries = graph.outgoing(loop.id).filter((edge) => edge.branch === loopBranches.each);
  return runner.runLoop(loop, scope, received, async (item, index) => {
    const inner: Scope = { ...scope, iteration: [...scope.iteration, index], loop: { item, index } };
    const { last, nodes } = await runScope(graph, loop.id, inner, entries, runner);
    return { last, scope: { ...inner, nodes } };
  });
}

/** Returns true when the execution follows the edge after the node gave the value. A condition can also give "error" as its branch. */
function leads(node: WorkflowNode, edge: WorkflowEdge, value: ScopeValue): boolean {
  if (node.type === 'condition') return edge.branch === branchOf(value);
  if (node.type === 'forEach') return edge.branch === loopBranches.done;
  return edge.branch === null;
}

/** A condition's output is a string, true or false. */
function branchOf({ text }: ScopeValue): string {
  const branch = parseJson(text);
  return typeof branch === 'string' ? branch : text;
}

/** Returns a node's input: the predecessor's output, or an object with the output of each predecessor by its id. */
function receive(incoming: readonly WorkflowEdge[], scope: Scope): ScopeValue {
  const [only, ...others] = incoming.map((edge) => edge.source);
  if (only === undefined) return scope.input;
  if (others.length > 0) {
    const members = [only, ...others].map(
      (id) => [id, new JsonText(scope.nodes.get(id)?.text ?? 'null')] as const,
    );
    return new ScopeValue(writeJson(Object.fromEntries(members)));
  }
  return scope.nodes.get(only) ?? scope.loop?.item ?? nothing;
}
