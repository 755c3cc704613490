// Why: the one workflow the engine knows: it walks any definition, a step for each node, the same way at every replay.
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { loopBranches, readEdges, readNodes } from '../definition/definition.ts';
import type { WorkflowEdge, WorkflowNode } from '../definition/definition.ts';
import { createGraph } from '../definition/graph.ts';
import type { Graph } from '../definition/graph.ts';
import type { WorkflowDefinition } from '../store/store.ts';
import { NodeFailedError } from './nodeFailedError.ts';
import type { NodeRunner } from './nodeRunner.ts';
import type { Scope } from './scope.ts';

/** What a scope left behind. */
interface ScopeResult {
  /** Undefined when no output node ran. */
  readonly output: JsonValue | undefined;
  /** The output of the node that ran last. */
  readonly last: JsonValue;
  readonly nodes: ReadonlyMap<string, JsonValue>;
}

/** Runs a definition to its end and answers its output. Rejects with a NodeFailedError when a node failed for good. */
export async function interpret(
  definition: WorkflowDefinition,
  input: JsonObject,
  runner: NodeRunner,
): Promise<JsonValue> {
  const graph = createGraph(readNodes(definition), readEdges(definition));
  const scope: Scope = { input, nodes: new Map(), iteration: [], turn: null };
  const result = await runScope(graph, null, scope, [], runner);
  return result.output ?? null;
}

/** Runs the nodes that belong to one loop's body (`owner`), or to none, in order. */
async function runScope(
  graph: Graph,
  owner: string | null,
  outer: Scope,
  entries: readonly WorkflowEdge[],
  runner: NodeRunner,
): Promise<ScopeResult> {
  const taken = new Set(entries);
  const nodes = new Map(outer.nodes);
  let output: JsonValue | undefined;
  let last: JsonValue = null;
  for (const node of graph.body(owner)) {
    const incoming = graph.incoming(node.id).filter((edge) => taken.has(edge));
    const scope: Scope = { ...outer, nodes };
    if (incoming.length === 0 && node.type !== 'trigger') {
      await runner.skip(node, scope, 'no branch led here');
      continue;
    }
    const received = receive(incoming, scope);
    last =
      node.type === 'forEach'
        ? await runLoop(graph, node, scope, received, runner)
        : await runner.run(node, scope, received);
    nodes.set(node.id, last);
    if (node.type === 'output') output = last;
    for (const edge of graph.outgoing(node.id)) if (leads(node, edge, last)) taken.add(edge);
  }
  return { output, last, nodes };
}

async function runLoop(
  graph: Graph,
  loop: WorkflowNode,
  scope: Scope,
  received: JsonValue,
  runner: NodeRunner,
): Promise<JsonValue> {
  const entries = graph.outgoing(loop.id).filter((edge) => edge.branch === loopBranches.each);
  return runner.runLoop(loop, scope, received, async (item, index) => {
    const inner: Scope = { ...scope, iteration: [...scope.iteration, index], turn: { item, index } };
    try {
      const { last, nodes } = await runScope(graph, loop.id, inner, entries, runner);
      return { last, scope: { ...inner, nodes } };
    } catch (error) {
      if (error instanceof NodeFailedError) throw error.inTurn(index);
      throw error;
    }
  });
}

/** True when the execution goes on along the edge. */
function leads(node: WorkflowNode, edge: WorkflowEdge, value: JsonValue): boolean {
  if (node.type === 'condition') return typeof value !== 'object' && edge.branch === String(value);
  if (node.type === 'forEach') return edge.branch === loopBranches.done;
  return true;
}

/** What came in: the one value, or one for each node that led here. */
function receive(incoming: readonly WorkflowEdge[], scope: Scope): JsonValue {
  const [only, ...others] = incoming.map((edge) => edge.source);
  if (only === undefined) return scope.input;
  if (others.length > 0)
    return Object.fromEntries([only, ...others].map((id) => [id, scope.nodes.get(id) ?? null]));
  return scope.nodes.get(only) ?? scope.turn?.item ?? null;
}
