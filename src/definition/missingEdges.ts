// The edge that an author probably forgot: the one that makes a node reachable, or gives a loop a body, without another fault.
import { loopBranches, type WorkflowEdge } from './definition.ts';
import type { Fix } from './definitionFault.ts';
import type { Graph, GraphNode } from './graph.ts';
import { isForEach, traitsOf } from './nodeTypes.ts';

export class MissingEdges {
  readonly #nodes: readonly GraphNode[];
  readonly #graph: Graph<GraphNode>;
  readonly #reachable: ReadonlySet<string>;

  /** For a graph without other faults. */
  constructor(nodes: readonly GraphNode[], graph: Graph<GraphNode>, reachable: ReadonlySet<string>) {
    this.#nodes = nodes;
    this.#graph = graph;
    this.#reachable = reachable;
  }

  /** For a node that nothing leads to: from the nearest possible node before it in the list, or else from the first one after it. */
  leadingTo(index: number): readonly Fix[] {
    const node = this.#nodes[index];
    if (node === undefined || !this.#isLoose(node)) return [];
    const after = this.#graph.reachableFrom([node.id]);
    const candidates = [...this.#nodes.slice(0, index).reverse(), ...this.#nodes.slice(index + 1)];
    for (const source of candidates) {
      const edge = this.#edgeBetween(source, node, after);
      if (edge !== undefined) return [{ kind: 'connect', edge }];
    }
    return [];
  }

  /** For a for-each without a body: to the next node after it in the list that nothing leads to. */
  intoBody(index: number): readonly Fix[] {
    const loop = this.#nodes[index];
    if (loop === undefined || !isForEach(loop.type) || this.#graph.body(loop.id).length > 0) return [];
    const next = this.#nodes.slice(index + 1).find((node) => this.#isLoose(node));
    const edge = next && this.#edgeBetween(loop, next, this.#graph.reachableFrom([next.id]));
    return edge?.branch === loopBranches.each ? [{ kind: 'connect', edge }] : [];
  }

  #isLoose({ id }: GraphNode): boolean {
    return !this.#reachable.has(id) && this.#graph.incoming(id).length === 0;
  }

  /** `after`: the target and what it leads to. undefined if it would make a cycle, mix a loop's body with what is outside, or go on after an end. */
  #edgeBetween(source: GraphNode, target: GraphNode, after: ReadonlySet<string>): WorkflowEdge | undefined {
    const isEnd = source.type === 'output' || source.type === 'fail';
    if (isEnd || !this.#reachable.has(source.id) || after.has(source.id)) return undefined;
    const branch = this.#branchFor(source, target);
    const isEntry = isForEach(source.type) && branch === loopBranches.each;
    const loop = isEntry ? source.id : this.#graph.owner(source.id);
    const fits = this.#nodes.every(({ id, type }) => {
      if (!after.has(id)) return true;
      if (type === 'output' && loop !== null) return false;
      return !this.#reachable.has(id) || this.#graph.owner(id) === loop;
    });
    return fits ? { source: source.id, target: target.id, branch } : undefined;
  }

  /** The first branch that the source's edges don't have yet. */
  #branchFor({ id, type }: GraphNode, target: GraphNode): string | null {
    const taken = new Set(this.#graph.outgoing(id).map(({ branch }) => branch));
    switch (traitsOf(type)?.branches) {
      case 'ofLoop':
        return taken.has(loopBranches.each) || target.type === 'output'
          ? loopBranches.done
          : loopBranches.each;
      case 'ofResult':
        return taken.has('true') ? 'false' : 'true';
      case undefined:
        return null;
    }
  }
}
