// The position of each node in a definition's text. The text may be invalid JSON.
import { findNodeAtLocation, type Node } from 'jsonc-parser';
import type { Stretch } from '../../../definition/stretch.ts';
import { readUnfinishedJsonTree } from '../../../ui/jsonText.ts';

export interface NodePosition extends Stretch {
  readonly nodeId: string;
  /** '' if it has none. */
  readonly nodeType: string;
  /** The value of the node's name, or else of its id. */
  readonly label: Stretch;
  readonly id: Stretch;
}

/** Returns the node whose object the offset is in, or else the first one with a part on the line of the offset. */
export function findNodeAt<T extends Stretch>(nodes: readonly T[], text: string, at: number): T | undefined {
  const around = nodes.find(({ offset, length }) => offset <= at && at <= offset + length);
  if (around !== undefined) return around;
  const lineStart = at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1;
  const lineEnd = text.indexOf('\n', at);
  return nodes.find(
    ({ offset, length }) => offset + length > lineStart && (lineEnd === -1 || offset < lineEnd),
  );
}

function stretchOf({ offset, length }: Node): Stretch {
  return { offset, length };
}

function textAt(node: Node, member: string): Node | undefined {
  const value = findNodeAtLocation(node, [member]);
  return value?.type === 'string' ? value : undefined;
}

function typeOf(node: Node): string {
  const value: unknown = textAt(node, 'type')?.value;
  return typeof value === 'string' ? value : '';
}

/** The objects in "nodes" that have an id, in text order. If several have the same id, only the first one. Pure. */
export function findNodePositions(text: string): readonly NodePosition[] {
  const root = readUnfinishedJsonTree(text);
  const nodes = root && findNodeAtLocation(root, ['nodes']);
  if (nodes?.type !== 'array') return [];
  const found = new Map<string, NodePosition>();
  for (const node of nodes.children ?? []) {
    const id = textAt(node, 'id');
    const nodeId: unknown = id?.value;
    if (id === undefined || typeof nodeId !== 'string' || nodeId === '' || found.has(nodeId)) continue;
    found.set(nodeId, {
      nodeId,
      nodeType: typeOf(node),
      ...stretchOf(node),
      label: stretchOf(textAt(node, 'name') ?? id),
      id: stretchOf(id),
    });
  }
  return [...found.values()];
}
