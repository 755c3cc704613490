// Finds the nodes that a retry runs again although they have finished.
import { equalJson, stringifyJson } from '../../base/json.ts';
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
import { loopsAround } from './recordedRuns.ts';

/**
 * Returns the nodes that `definition` has changed since the recorded one, `fromNodeId`, and the nodes after them. The results of a loop
 * also count as being after the nodes of its body.
 */
export function nodesToRunAgain(
  recorded: WorkflowDefinition,
  definition: WorkflowDefinition,
  fromNodeId: string | undefined,
): string[] {
  const graph = createGraph(readNodes(definition), readEdges(definition));
  const first = recorded === definition ? [] : changedNodes(recorded, graph);
  const again = new Set(fromNodeId === undefined ? first : [...first, fromNodeId]);
  for (;;) {
    const before = again.size;
    for (const id of graph.reachableFrom(again)) again.add(id);
    for (const loop of loopsAround(again, graph))
      for (const edge of graph.outgoing(loop)) if (edge.branch !== loopBranches.each) again.add(edge.target);
    if (again.size === before) return [...again];
  }
}

function changedNodes(recorded: WorkflowDefinition, graph: Graph): readonly string[] {
  const before = createGraph(readNodes(recorded), readEdges(recorded));
  const old = new Map(before.order.map((node) => [node.id, node]));
  const isSame = (node: WorkflowNode): boolean => {
    const earlier = old.get(node.id);
    return (
      earlier?.type === node.type &&
      equalJson(earlier.config, node.config) &&
      equalJson(earlier.retry, node.retry) &&
      ways(before.incoming(node.id)) === ways(graph.incoming(node.id)) &&
      handlesFailure(before, node) === handlesFailure(graph, node)
    );
  };
  return graph.order.filter((node) => !isSame(node)).map(({ id }) => id);
}

/** The edges as a text that doesn't depend on their order. */
function ways(edges: readonly WorkflowEdge[]): string {
  return stringifyJson(edges.map(({ source, branch }) => stringifyJson([source, branch])).sort());
}

function handlesFailure(graph: Graph, { id }: WorkflowNode): boolean {
  return graph.outgoing(id).some(({ branch }) => branch === errorBranch);
}
