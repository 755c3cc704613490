// Where each node stands in a definition's text, also while the text isn't valid JSON.
import { findNodeAtLocation, type Node, parseTree } from 'jsonc-parser';

/** A stretch of text, in UTF-16 units. */
interface Stretch {
  readonly offset: number;
  readonly length: number;
}

export interface NodePosition extends Stretch {
  readonly nodeId: string;
  /** What names the node: the value of its name, else of its id. */
  readonly label: Stretch;
}

function stretch({ offset, length }: Node): Stretch {
  return { offset, length };
}

function textAt(node: Node, member: string): Node | undefined {
  const value = findNodeAtLocation(node, [member]);
  return value?.type === 'string' ? value : undefined;
}

/** The objects in "nodes" that have an id, in the order of the text; of several with one id the first. Pure. */
export function findNodePositions(text: string): readonly NodePosition[] {
  const root = parseTree(text);
  const nodes = root && findNodeAtLocation(root, ['nodes']);
  if (nodes?.type !== 'array') return [];
  const found = new Map<string, NodePosition>();
  for (const node of nodes.children ?? []) {
    const id = textAt(node, 'id');
    const nodeId: unknown = id?.value;
    if (id === undefined || typeof nodeId !== 'string' || nodeId === '' || found.has(nodeId)) continue;
    const label = stretch(textAt(node, 'name') ?? id);
    found.set(nodeId, { nodeId, ...stretch(node), label });
  }
  return [...found.values()];
}
