// Nodes and edges as the interpreter and the check look at them: in order, with what belongs to which loop.
import { loopBranches, type WorkflowEdge, type WorkflowNode } from './definition.ts';

export interface Graph {
  /** Each node after all that lead to it; nodes of a cycle are missing. */
  readonly order: readonly WorkflowNode[];
  incoming(nodeId: string): readonly WorkflowEdge[];
  outgoing(nodeId: string): readonly WorkflowEdge[];
  /** The nodes of a for-each's own body, those of inner loops not included, in order; null: the nodes outside loops. */
  body(loopId: string | null): readonly WorkflowNode[];
  /** The innermost for-each whose body holds the node; null outside loops. */
  owner(nodeId: string): string | null;
  /** The nodes that are led to both from within a for-each's body and from elsewhere, each with that for-each. */
  readonly entered: ReadonlyMap<string, string>;
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
  const order = sortByDependency(nodes, incoming, outgoing);
  const { owners, entered } = findOwners(order, incoming);
  const bodies = groupBy(order, (node) => owners.get(node.id)?.id ?? null);
  return {
    order,
    incoming: (id) => incoming.get(id) ?? [],
    outgoing: edgesOut,
    body: (id) => bodies.get(id) ?? [],
    owner: (id) => owners.get(id)?.id ?? null,
    entered,
    reachableFrom,
  };
}

/** The for-each around a node, and how many loops deep its body is. */
interface Owner {
  readonly id: string;
  readonly depth: number;
}

/** Each node belongs where the nodes before it do; an edge "each" leads one loop further in. */
function findOwners(
  order: readonly WorkflowNode[],
  incoming: ReadonlyMap<string, readonly WorkflowEdge[]>,
): { owners: ReadonlyMap<string, Owner | null>; entered: ReadonlyMap<string, string> } {
  const owners = new Map<string, Owner | null>();
  const bodies = new Map<string, Owner>();
  const entered = new Map<string, string>();
  for (const node of order) {
    const ways = new Set((incoming.get(node.id) ?? []).map((edge) => lead(edge, owners, bodies)));
    const [first = null, ...others] = [...ways].sort(
      (left, right) => (right?.depth ?? 0) - (left?.depth ?? 0),
    );
    owners.set(node.id, first);
    if (first && others.length > 0) entered.set(node.id, first.id);
    if (node.type === 'forEach') bodies.set(node.id, { id: node.id, depth: (first?.depth ?? 0) + 1 });
  }
  return { owners, entered };
}

/** The for-each that an edge leads into, or stays in. */
function lead(
  edge: WorkflowEdge,
  owners: ReadonlyMap<string, Owner | null>,
  bodies: ReadonlyMap<string, Owner>,
): Owner | null {
  const body = edge.branch === loopBranches.each ? bodies.get(edge.source) : undefined;
  return body ?? owners.get(edge.source) ?? null;
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

function groupBy<T, K>(items: readonly T[], keyOf: (item: T) => K): ReadonlyMap<K, readonly T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}
