// Which nodes of a definition's text differ from the nodes that an execution ran.
import { equalJson, parseJson } from '../../../base/json.ts';
import type { RanNodes } from '../../../model/executions/ranDefinitions.ts';
import type { NodeView } from '../../../model/runs/nodeView.ts';
import type { NodePosition } from '../lastRun/nodePositions.ts';

/** "replaced": by a node of another type. What its run tells isn't about the node in the text. */
export type NodeChange = 'changed' | 'added' | 'replaced';
/** By node id; a node that is the same, or of which nothing is known, is missing. */
export type NodeChanges = ReadonlyMap<string, NodeChange>;

export const noChanges: NodeChanges = new Map();

interface Compared {
  readonly text: string;
  readonly change: NodeChange | undefined;
}

/** Compares a text again and again while it's edited. A node is parsed only when its own text has changed. */
export class ChangedNodes {
  #ran: RanNodes | undefined;
  #compared: ReadonlyMap<string, Compared> = new Map();

  /** `ran` undefined: not known. */
  find(text: string, positions: readonly NodePosition[], ran: RanNodes | undefined): NodeChanges {
    const earlier = ran === this.#ran ? this.#compared : new Map<string, Compared>();
    this.#ran = ran;
    this.#compared = new Map();
    if (ran === undefined) return noChanges;
    const compared = new Map<string, Compared>();
    const changes = new Map<string, NodeChange>();
    for (const position of positions) {
      const { nodeId, offset, length } = position;
      const own = text.slice(offset, offset + length);
      const known = earlier.get(nodeId);
      const result = known?.text === own ? known : { text: own, change: compare(own, position, ran) };
      compared.set(nodeId, result);
      if (result.change !== undefined) changes.set(nodeId, result.change);
    }
    this.#compared = compared;
    return changes;
  }
}

/** A text that isn't JSON differs from what ran. */
function compare(text: string, { nodeId, nodeType }: NodePosition, ran: RanNodes): NodeChange | undefined {
  const node = ran.get(nodeId);
  if (node === undefined) return 'added';
  if (equalJson(parseJson(text), node)) return undefined;
  const { type } = node;
  return typeof type === 'string' && areOther(type, nodeType) ? 'replaced' : 'changed';
}

/** What the records tell where it isn't known what ran. Nothing if no type fits: a service may name types in its log in other words. */
export function findReplaced(
  positions: readonly NodePosition[],
  nodes: ReadonlyMap<string, NodeView>,
): NodeChanges {
  const isReplaced = ({ nodeId, nodeType }: NodePosition): boolean =>
    areOther(nodes.get(nodeId)?.worst.nodeType ?? '', nodeType);
  const fits = ({ nodeId, nodeType }: NodePosition): boolean =>
    nodeType !== '' && nodes.get(nodeId)?.worst.nodeType === nodeType;
  if (!positions.some(fits)) return noChanges;
  return new Map(positions.filter(isReplaced).map(({ nodeId }) => [nodeId, 'replaced']));
}

function areOther(one: string, other: string): boolean {
  return one !== '' && other !== '' && one !== other;
}

/** Without the nodes whose runs aren't about them. */
export function withoutReplaced(
  positions: readonly NodePosition[],
  changes: NodeChanges,
): readonly NodePosition[] {
  return positions.filter(({ nodeId }) => changes.get(nodeId) !== 'replaced');
}
