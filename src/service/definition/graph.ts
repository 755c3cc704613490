// Why: nodes and edges as the interpreter and the check look at them: in order, with what belongs to which loop.
import { loopBranches } from './definition.ts';
import type { WorkflowEdge, WorkflowNode } from './definition.ts';

export interface Graph {
  /** Each node after all that lead to it; nodes of a cycle are missing. */
  readonly order: readonly WorkflowNode[];
  incoming(nodeId: string): readonly WorkflowEdge[];
  outgoing(nodeId: string): readonly WorkflowEdge[];
  /** The ids of all nodes in a for-each's body, those of inner loops included. */
  body(loopId: string): ReadonlySet<string>;
  /** The innermost for-each whose body holds the node; null outside loops. */
  owner(nodeId: string): string | null;
  reachableFrom(nodeIds: Iterable<string>): ReadonlySet<string>;
}

/** Edges to unknown nodes are left out. */
export function createGraph(nodes: readonly WorkflowNode[], allEdges: readonly WorkflowEdge[]): Graph {
  const ids = new Set(nodes.map((node) => node.id));
  const edges = allEdges.filter((edge) => ids.has(edge.source) && ids.has(edge.target));
  const incoming = groupBy(edges, (edge) => edge.target);
  const outgoing = groupBy(edges, (edge) => edge.source);
  const edgesOut = (id: string): readonly WorkflowEdge[] => outgoing.get(id) ?? [];
  const reachableFrom = (start: Iterable<string>): ReadonlySet<string> => {
    const found = new Set(start);
    for (const id of found) for (const edge of edgesOut(id)) found.add(edge.target);
    return found;
  };
  const bodies = new Map(
    nodes
      .filter((node) => node.type === 'forEach')
      .map((loop) => {
        const entries = edgesOut(loop.id).filter((edge) => edge.branch === loopBranches.each);
        return [loop.id, reachableFrom(entries.map((edge) => edge.target))] as const;
      }),
  );
  const innermostFirst = [...bodies].sort(([, left], [, right]) => left.size - right.size);
  return {
    order: sortByDependency(nodes, incoming, outgoing),
    incoming: (id) => incoming.get(id) ?? [],
    outgoing: edgesOut,
    body: (id) => bodies.get(id) ?? new Set(),
    owner: (id) => innermostFirst.find(([, body]) => body.has(id))?.[0] ?? null,
    reachableFrom,
  };
}

/** Kahn's order, which keeps the definition's own order where edges leave a choice. */
function sortByDependency(
  nodes: readonly WorkflowNode[],
  incoming: ReadonlyMap<string, readonly WorkflowEdge[]>,
  outgoing: ReadonlyMap<string, readonly WorkflowEdge[]>,
): WorkflowNode[] {
  const waitingFor = new Map(nodes.map((node) => [node.id, incoming.get(node.id)?.length ?? 0]));
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const ready = nodes.filter((node) => waitingFor.get(node.id) === 0);
  const order: WorkflowNode[] = [];
  for (const node of ready) {
    order.push(node);
    for (const edge of outgoing.get(node.id) ?? []) {
      const left = (waitingFor.get(edge.target) ?? 0) - 1;
      waitingFor.set(edge.target, left);
      const target = byId.get(edge.target);
      if (left === 0 && target) ready.push(target);
    }
  }
  return order;
}

function groupBy(
  edges: readonly WorkflowEdge[],
  keyOf: (edge: WorkflowEdge) => string,
): ReadonlyMap<string, readonly WorkflowEdge[]> {
  const groups = new Map<string, WorkflowEdge[]>();
  for (const edge of edges) {
    const group = groups.get(keyOf(edge));
    if (group) group.push(edge);
    else groups.set(keyOf(edge), [edge]);
  }
  return groups;
}
