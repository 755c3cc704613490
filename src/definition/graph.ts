// The graph of a definition: the order of its nodes and the loop that each node belongs to.
import type { JsonObject } from '../base/json.ts';
import { loopBranches, type WorkflowEdge, type WorkflowNode } from './definition.ts';
import { isForEach } from './nodeTypes.ts';

/** What the graph knows of a node. Its type may be unknown here. */
export interface GraphNode {
  readonly id: string;
  readonly type: string;
}

/** A node as its author wrote it. */
export interface ConfiguredNode extends GraphNode {
  readonly config: JsonObject;
}

export interface Graph<N extends GraphNode = WorkflowNode> {
  /** Each node comes after its predecessors; nodes of a cycle, and those after it, are missing. */
  readonly order: readonly N[];
  incoming(nodeId: string): readonly WorkflowEdge[];
  outgoing(nodeId: string): readonly WorkflowEdge[];
  /** The nodes of a for-each's body in order, without those of inner loops; null returns the nodes outside loops. */
  body(loopId: string | null): readonly N[];
  /** The innermost for-each whose body contains the node; null outside loops. In a cycle, the first way to the node counts. */
  owner(nodeId: string): string | null;
  /** The nodes that have edges both from within a for-each's body and from outside of it, with that for-each. */
  readonly entered: ReadonlyMap<string, string>;
  reachableFrom(nodeIds: Iterable<string>): ReadonlySet<string>;
}

/** Ignores edges from or to unknown nodes. */
export function createGraph<N extends GraphNode>(
  nodes: readonly N[],
  allEdges: readonly WorkflowEdge[],
): Graph<N> {
  const ids = new Set(nodes.map((node) => node.id));
  const edges = allEdges.filter((edge) => ids.has(edge.source) && ids.has(edge.target));
  const incoming = Map.groupBy(edges, (edge) => edge.target);
  const outgoing = Map.groupBy(edges, (edge) => edge.source);
  const edgesOut = (id: string): readonly WorkflowEdge[] => outgoing.get(id) ?? [];
  const targets = new Map([...outgoing].map(([id, out]) => [id, out.map(({ target }) => target)]));
  const reachableFrom = (start: Iterable<string>): ReadonlySet<string> =>
    reach(start, (id) => targets.get(id) ?? []);
  const order = sortByDependency(nodes, incoming, outgoing);
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const inOrder = new Set(order.map(({ id }) => id));
  const inCycles = [...reachableFrom(inOrder)].filter((id) => !inOrder.has(id));
  const { owners, entered } = findOwners(
    order,
    inCycles.flatMap((id) => byId.get(id) ?? []),
    incoming,
  );
  const bodies = Map.groupBy(order, (node) => owners.get(node.id)?.id ?? null);
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

/** Where one gets to, the start included. */
export function reach(start: Iterable<string>, next: (id: string) => Iterable<string>): ReadonlySet<string> {
  const found = new Set(start);
  for (const id of found) for (const each of next(id)) found.add(each);
  return found;
}

/** The for-each around a node, and the nesting depth of its body. */
interface OwningLoop {
  readonly id: string;
  readonly depth: number;
}

/**
 * A node has the same owner as its predecessors; an edge with the branch "each" leads one loop deeper. `inCycles`: each comes after one of
 * its predecessors.
 */
function findOwners(
  order: readonly GraphNode[],
  inCycles: readonly GraphNode[],
  incoming: ReadonlyMap<string, readonly WorkflowEdge[]>,
): { owners: ReadonlyMap<string, OwningLoop | null>; entered: ReadonlyMap<string, string> } {
  const owners = new Map<string, OwningLoop | null>();
  const bodies = new Map<string, OwningLoop>();
  const entered = new Map<string, string>();
  const place = ({ id, type }: GraphNode): readonly (OwningLoop | null)[] => {
    const known = (incoming.get(id) ?? []).filter(({ source }) => owners.has(source));
    const ways = [...new Set(known.map((edge) => lead(edge, owners, bodies)))];
    const [first = null] = ways.sort((left, right) => (right?.depth ?? 0) - (left?.depth ?? 0));
    owners.set(id, first);
    if (isForEach(type)) bodies.set(id, { id, depth: (first?.depth ?? 0) + 1 });
    return ways;
  };
  for (const node of order) {
    const [first, ...others] = place(node);
    if (first && others.length > 0) entered.set(node.id, first.id);
  }
  inCycles.forEach(place);
  return { owners, entered };
}

/** Returns the for-each whose body the edge enters or stays in. */
function lead(
  edge: WorkflowEdge,
  owners: ReadonlyMap<string, OwningLoop | null>,
  bodies: ReadonlyMap<string, OwningLoop>,
): OwningLoop | null {
  const body = edge.branch === loopBranches.each ? bodies.get(edge.source) : undefined;
  return body ?? owners.get(edge.source) ?? null;
}

/** Returns the loops around a node, outermost first. */
export function loopsOf(nodeId: string, graph: Pick<Graph, 'owner'>): readonly string[] {
  const loops: string[] = [];
  for (let id = graph.owner(nodeId); id !== null; id = graph.owner(id)) loops.push(id);
  return loops.reverse();
}

/** Kahn's algorithm; keeps the definition's order where the edges allow several orders. */
function sortByDependency<N extends GraphNode>(
  nodes: readonly N[],
  incoming: ReadonlyMap<string, readonly WorkflowEdge[]>,
  outgoing: ReadonlyMap<string, readonly WorkflowEdge[]>,
): N[] {
  const waitingFor = new Map(nodes.map((node) => [node.id, incoming.get(node.id)?.length ?? 0]));
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const ready = nodes.filter((node) => waitingFor.get(node.id) === 0);
  const order: N[] = [];
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
