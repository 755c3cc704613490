// Reads what can be drawn of a definition, which may be unfinished or of a service that writes it in its own way. Pure.
import { stringifyJson } from '../../base/json.ts';
import type { DefinitionText } from '../../definition/definitionText.ts';
import { createGraph } from '../../definition/graph.ts';
import { plainLine } from '../../base/format.ts';
import type { NodeRun } from '../../domain/nodeRun.ts';
import type { GraphEdge, PageNode } from '../../webview/graph/messages.ts';
import { definitionFormats } from '../../domain/definitionFormat.ts';

export interface WorkflowGraph {
  readonly nodes: readonly PageNode[];
  readonly edges: readonly GraphEdge[];
  /** How many nodes are left out, because there are too many to draw. */
  readonly omitted: number;
}

/** More than this are no picture that anybody reads. */
export const maximumNodes = 1000;
const maximumEdges = 4000;
const maximumId = 1000;

interface NamedNode {
  readonly id: string;
  readonly name: string;
  readonly type: string;
}

function readNodes({ byId, format }: DefinitionText): ReadonlyMap<string, NamedNode> {
  const { noteType } = definitionFormats[format];
  const nodes = [...byId.values()].filter(({ id, type }) => id.length <= maximumId && type !== noteType);
  return new Map(
    nodes.map(({ id, name, type }) => [id, { id, name: plainLine(name, 80), type: plainLine(type, 40) }]),
  );
}

function readEdges(definition: DefinitionText, nodes: ReadonlyMap<string, unknown>): readonly GraphEdge[] {
  const edges = new Map<string, GraphEdge>();
  for (const { source, target, branch: written } of definition.edges) {
    if (edges.size === maximumEdges) break;
    if (!nodes.has(source) || !nodes.has(target)) continue;
    const branch = plainLine(written, 40);
    edges.set(stringifyJson([source, target, branch]), { source, target, branch });
  }
  return [...edges.values()];
}

/** The nodes that ran in the execution, but aren't in the definition any more. */
function formerNodes(
  nodes: ReadonlyMap<string, unknown>,
  nodeRuns: readonly NodeRun[],
): readonly NamedNode[] {
  const former = new Map<string, NamedNode>();
  for (const { nodeId, nodeName, nodeType } of nodeRuns)
    if (!nodes.has(nodeId) && !former.has(nodeId) && nodeId.length <= maximumId)
      former.set(nodeId, {
        id: nodeId,
        name: plainLine(nodeName === '' ? nodeId : nodeName, 80),
        type: plainLine(nodeType ?? '', 40),
      });
  return [...former.values()];
}

/** Nodes of the runs that the definition lacks are added, without edges. */
export function readGraph(definition: DefinitionText, nodeRuns: readonly NodeRun[]): WorkflowGraph {
  const known = readNodes(definition);
  const all = [...known.values(), ...formerNodes(known, nodeRuns)];
  const shown = all.slice(0, maximumNodes);
  const edges = readEdges(definition, new Map(shown.map((node) => [node.id, node])));
  const graph = createGraph(
    shown,
    edges.map(({ source, target, branch }) => ({ source, target, branch: branch === '' ? null : branch })),
  );
  return {
    nodes: shown.map((node) => ({ ...node, loop: graph.owner(node.id) })),
    edges,
    omitted: all.length - shown.length,
  };
}
