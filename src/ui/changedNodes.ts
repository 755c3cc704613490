// Which nodes of a definition's text differ from the nodes that an execution ran.
import type { DefinitionNode } from '../definition/definitionNode.ts';
import { equalJson, parseJson } from '../base/json.ts';
import type { RanNodes } from '../model/workflows/ranDefinitions.ts';
import type { NodeView } from '../model/runs/nodeView.ts';

/** "replaced": by a node of another type. What its run recorded isn't about the node in the text. */
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
  find(positions: readonly DefinitionNode[], ran: RanNodes | undefined): NodeChanges {
    const earlier = ran === this.#ran ? this.#compared : new Map<string, Compared>();
    this.#ran = ran;
    this.#compared = new Map();
    if (ran === undefined) return noChanges;
    const compared = new Map<string, Compared>();
    const changes = new Map<string, NodeChange>();
    for (const position of positions) {
      const { id, text } = position;
      const known = earlier.get(id);
      const result = known?.text === text ? known : { text, change: compare(position, ran) };
      compared.set(id, result);
      if (result.change !== undefined) changes.set(id, result.change);
    }
    this.#compared = compared;
    return changes;
  }
}

/** A text that isn't JSON differs from what ran. */
function compare({ id, type, text }: DefinitionNode, ran: RanNodes): NodeChange | undefined {
  const node = ran.get(id);
  if (node === undefined) return 'added';
  if (equalJson(parseJson(text), node)) return undefined;
  const { type: ranType } = node;
  return typeof ranType === 'string' && areOther(ranType, type) ? 'replaced' : 'changed';
}

/** What the records show where it isn't known what ran. Nothing if no type fits: a service may name types in its log in other words. */
export function findReplaced(
  positions: readonly DefinitionNode[],
  nodes: ReadonlyMap<string, NodeView>,
): NodeChanges {
  const isReplaced = ({ id, type }: DefinitionNode): boolean =>
    areOther(nodes.get(id)?.worst.nodeType ?? '', type);
  const fits = ({ id, type }: DefinitionNode): boolean =>
    type !== '' && nodes.get(id)?.worst.nodeType === type;
  if (!positions.some(fits)) return noChanges;
  return new Map(positions.filter(isReplaced).map(({ id }) => [id, 'replaced']));
}

function areOther(one: string, other: string): boolean {
  return one !== '' && other !== '' && one !== other;
}

/** Without the nodes whose runs aren't about them. */
export function withoutReplaced(
  positions: readonly DefinitionNode[],
  changes: NodeChanges,
): readonly DefinitionNode[] {
  return positions.filter(({ id }) => changes.get(id) !== 'replaced');
}
