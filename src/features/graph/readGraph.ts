// Reads what can be drawn of a definition, which may be unfinished or of a service that writes it in its own way. Pure.
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { createGraph } from '../../definition/graph.ts';
import { plainLine } from '../../editor/format.ts';
import type { NodeRun } from '../../domain/nodeRun.ts';
import type { GraphEdge, GraphNode } from '../../webview/graph/messages.ts';

export interface WorkflowGraph {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
  /** How many nodes are left out, because there are too many to draw. */
  readonly leftOut: number;
}

/** More than this are no picture that anybody reads. */
export const maximumNodes = 1000;
const maximumEdges = 4000;
const maximumId = 1000;

function textOf(object: JsonObject, ...names: readonly string[]): string {
  const found = names.map((name) => object[name]).find((value) => typeof value === 'string' && value !== '');
  return typeof found === 'string' ? found : '';
}

interface NamedNode {
  readonly id: string;
  readonly name: string;
  readonly type: string;
}

/** The first node of each id. */
function readNodes(value: JsonValue | undefined): ReadonlyMap<string, NamedNode> {
  const nodes = new Map<string, NamedNode>();
  for (const each of isJsonArray(value) ? value : []) {
    const id = isJsonObject(each) ? textOf(each, 'id') : '';
    if (!isJsonObject(each) || id === '' || id.length > maximumId || nodes.has(id)) continue;
    const name = plainLine(textOf(each, 'name', 'label', 'title') || id, 80);
    nodes.set(id, { id, name, type: plainLine(textOf(each, 'type'), 40) });
  }
  return nodes;
}

/** A branch may be written as true or false. */
function branchOf({ branch }: JsonObject): string {
  return typeof branch === 'string' || typeof branch === 'boolean' ? String(branch) : '';
}

function readEdges(value: JsonValue | undefined, nodes: ReadonlyMap<string, unknown>): readonly GraphEdge[] {
  const edges = new Map<string, GraphEdge>();
  for (const each of isJsonArray(value) ? value : []) {
    if (!isJsonObject(each) || edges.size === maximumEdges) continue;
    const [source, target] = [textOf(each, 'source', 'from'), textOf(each, 'target', 'to')];
    if (!nodes.has(source) || !nodes.has(target)) continue;
    const branch = plainLine(branchOf(each), 40);
    edges.set(JSON.stringify([source, target, branch]), { source, target, branch });
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

/** `definition`: as far as it can be read. Nodes of the runs that it lacks are added, without edges. */
export function readGraph(definition: JsonValue | undefined, nodeRuns: readonly NodeRun[]): WorkflowGraph {
  const { nodes: listed, edges: drawn } = isJsonObject(definition) ? definition : {};
  const known = readNodes(listed);
  const all = [...known.values(), ...formerNodes(known, nodeRuns)];
  const shown = all.slice(0, maximumNodes);
  const edges = readEdges(drawn, new Map(shown.map((node) => [node.id, node])));
  const graph = createGraph(
    shown,
    edges.map(({ source, target, branch }) => ({ source, target, branch: branch === '' ? null : branch })),
  );
  return {
    nodes: shown.map((node) => ({ ...node, loop: graph.owner(node.id) })),
    edges,
    leftOut: all.length - shown.length,
  };
}
