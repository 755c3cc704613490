// The position of each node in a definition's text. The text may be invalid JSON.
import { readPlacedNodes } from '../../../definition/definitionTree.ts';
import type { Stretch } from '../../../definition/stretch.ts';
import { readUnfinishedJsonTree } from '../../../ui/jsonText.ts';

export interface NodePosition extends Stretch {
  readonly nodeId: string;
  /** The value of the node's name, or else of its id. */
  readonly label: Stretch;
}

/** The objects in "nodes" that have an id, in text order. If several have the same id, only the first one. Pure. */
export function findNodePositions(text: string): readonly NodePosition[] {
  const root = readUnfinishedJsonTree(text);
  const found = new Map<string, NodePosition>();
  for (const { id, name, offset, length } of root === undefined ? [] : readPlacedNodes(root)) {
    if (id === undefined || id.value === '' || found.has(id.value)) continue;
    found.set(id.value, { nodeId: id.value, offset, length, label: name ?? id });
  }
  return [...found.values()];
}
