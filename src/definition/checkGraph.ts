// The rules of the graph: one trigger, unique ids, edges between known nodes, valid branches, no cycles, reachable nodes and closed loops.
import * as l10n from '@vscode/l10n';
import { errorBranch, loopBranches, type WorkflowEdge } from './definition.ts';
import {
  choices,
  type FaultFix,
  type FoundFault,
  nameEdge,
  nameNode,
  replacements,
} from './definitionFault.ts';
import { createGraph, type Graph, type GraphNode } from './graph.ts';
import { isForEach, isNodeType, traitsOf } from './nodeTypes.ts';

type Rule = FoundFault['rule'];

function fault(
  rule: Rule,
  path: readonly (string | number)[],
  message: string,
  findFixes?: () => readonly FaultFix[],
): FoundFault {
  return { path: path.map(String), message, rule, ...(findFixes && { findFixes }) };
}

/** `graph`: undefined if the graph has faults. */
interface GraphCheck<N extends GraphNode> {
  readonly faults: readonly FoundFault[];
  readonly graph: Graph<N> | undefined;
}

/** Nodes of unknown types are only checked against the rules for every type. */
export function checkGraph<N extends GraphNode>(
  nodes: readonly N[],
  edges: readonly WorkflowEdge[],
): GraphCheck<N> {
  const faults = [...checkTriggers(nodes), ...checkIds(nodes), ...checkEdges(nodes, edges)];
  if (faults.length > 0) return { faults, graph: undefined };
  const graph = createGraph(nodes, edges);
  const inPaths = checkPaths(nodes, graph);
  return { faults: inPaths, graph: inPaths.length > 0 ? undefined : graph };
}

function checkTriggers(nodes: readonly GraphNode[]): readonly FoundFault[] {
  const triggers = nodes
    .map((node, index) => ({ node, index }))
    .filter(({ node }) => node.type === 'trigger');
  // A node of an unknown type may be a trigger.
  if (triggers.length === 0 && nodes.every(({ type }) => isNodeType(type)))
    return [fault('nodeType', ['nodes'], l10n.t("there's no trigger; exactly one node must be a trigger"))];
  return triggers
    .slice(1)
    .map(({ node, index }) =>
      fault(
        'nodeType',
        ['nodes', index, 'type'],
        l10n.t('{0} is another trigger; exactly one node must be a trigger', nameNode(node.id)),
      ),
    );
}

function checkIds(nodes: readonly GraphNode[]): readonly FoundFault[] {
  const seen = new Set<string>();
  return nodes.flatMap(({ id }, index) => {
    const isUsed = seen.has(id);
    seen.add(id);
    return isUsed
      ? [fault('structure', ['nodes', index, 'id'], l10n.t('the ID "{0}" is used by another node', id))]
      : [];
  });
}

function checkEdges(nodes: readonly GraphNode[], edges: readonly WorkflowEdge[]): readonly FoundFault[] {
  const taken = Map.groupBy(edges, ({ source }) => source);
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const ids = [...byId.keys()];
  return edges.flatMap((edge, index) => {
    const name = nameEdge(index);
    const source = byId.get(edge.source);
    const target = byId.get(edge.target);
    const faults: FoundFault[] = [];
    if (!source) {
      const message = l10n.t('{0} starts at a node that doesn\'t exist ("{1}")', name, edge.source);
      const findFixes = (): readonly FaultFix[] =>
        replacements(
          edge.source,
          ids.filter((id) => id !== edge.target),
        );
      faults.push(fault('structure', ['edges', index, 'source'], message, findFixes));
    } else faults.push(...checkBranch(source, edge, index, taken.get(source.id) ?? []));
    if (!target) {
      const message = l10n.t('{0} points to a node that doesn\'t exist ("{1}")', name, edge.target);
      const findFixes = (): readonly FaultFix[] =>
        replacements(
          edge.target,
          ids.filter((id) => id !== edge.source && byId.get(id)?.type !== 'trigger'),
        );
      faults.push(fault('structure', ['edges', index, 'target'], message, findFixes));
    } else if (target.type === 'trigger') {
      const message = l10n.t('{0} points to the trigger, where every execution starts', name);
      faults.push(fault('nodeType', ['edges', index, 'target'], message));
    }
    return faults;
  });
}

/** `others`: the edges of the source, this one included. */
function checkBranch(
  source: GraphNode,
  { branch }: WorkflowEdge,
  index: number,
  others: readonly WorkflowEdge[],
): readonly FoundFault[] {
  const refuse = (words: string, findFixes: () => readonly FaultFix[]) => [
    fault('nodeType', ['edges', index, 'branch'], words, findFixes),
  ];
  const chooseOf = (allowed: readonly string[]) => () => {
    const free = allowed.filter((name) => others.every((other) => other.branch !== name));
    return choices(branch ?? '', free.length > 0 ? free : allowed);
  };
  const name = nameEdge(index);
  const traits = traitsOf(source.type);
  if (traits === undefined) return [];
  const { hasErrorBranch = false } = traits;
  if (hasErrorBranch && branch === errorBranch) return [];
  switch (traits.branches) {
    case 'ofResult':
      return branch === null
        ? refuse(l10n.t('{0} leaves a condition node: set its "branch"', name), chooseOf(['true', 'false']))
        : [];
    case 'ofLoop':
      return branch === loopBranches.each || branch === loopBranches.done
        ? []
        : refuse(
            l10n.t('{0} leaves a for-each node: set "branch" to "each", "done" or "error"', name),
            chooseOf([loopBranches.each, loopBranches.done, errorBranch]),
          );
    default:
      if (branch === null) return [];
      return refuse(
        hasErrorBranch
          ? l10n.t('{0} can only have the branch "error"', name)
          : l10n.t("{0} can't have a branch", name),
        () => {
          const near = hasErrorBranch ? replacements(branch, [errorBranch]) : [];
          return near.length > 0 ? near : [{ kind: 'remove' }];
        },
      );
  }
}

/** For unique nodes with valid edges. */
function checkPaths(nodes: readonly GraphNode[], graph: Graph<GraphNode>): readonly FoundFault[] {
  const ordered = new Set(graph.order.map(({ id }) => id));
  const isStart = ({ id, type }: GraphNode): boolean =>
    type === 'trigger' || (!isNodeType(type) && graph.incoming(id).length === 0);
  const reachable = graph.reachableFrom(nodes.filter(isStart).map(({ id }) => id));
  const missing = new MissingEdges(nodes, graph, reachable);
  return nodes.flatMap((node, index) => {
    const path = ['nodes', index, 'id'];
    const name = nameNode(node.id);
    // A cycle that nothing leads to is still a cycle.
    if (!ordered.has(node.id))
      return [fault('structure', path, l10n.t('{0} is part of a cycle, or follows one', name))];
    if (!reachable.has(node.id))
      return [
        fault('nodeType', path, l10n.t("{0} can't be reached from the trigger", name), () =>
          missing.leadingTo(index),
        ),
      ];
    return checkLoops(graph, node).map((words) =>
      fault('nodeType', path, words, () => missing.intoBody(index)),
    );
  });
}

function checkLoops(graph: Graph<GraphNode>, { id, type }: GraphNode): readonly string[] {
  const loop = graph.entered.get(id);
  if (loop !== undefined)
    return [
      l10n.t('{0} is in the body of {1}, but an edge from outside leads to it', nameNode(id), nameNode(loop)),
    ];
  if (isForEach(type) && graph.body(id).length === 0)
    return [l10n.t('{0} has no body: no edge with the branch "each" starts at it', nameNode(id))];
  if (type === 'output' && graph.owner(id) !== null)
    return [l10n.t("{0} is an output, which can't be in the body of a for-each", nameNode(id))];
  return [];
}

class MissingEdges {
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
  leadingTo(index: number): readonly FaultFix[] {
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
  intoBody(index: number): readonly FaultFix[] {
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
