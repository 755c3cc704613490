// Which nodes of a definition's text differ from the nodes that an execution ran.
import { equalJson, parseJson } from '../../../base/json.ts';
import type { RanNodes } from '../../../model/executions/ranDefinitions.ts';
import type { NodePosition } from '../lastRun/nodePositions.ts';

export type NodeChange = 'changed' | 'added';
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
    for (const { nodeId, offset, length } of positions) {
      const own = text.slice(offset, offset + length);
      const known = earlier.get(nodeId);
      const result = known?.text === own ? known : { text: own, change: compare(own, nodeId, ran) };
      compared.set(nodeId, result);
      if (result.change !== undefined) changes.set(nodeId, result.change);
    }
    this.#compared = compared;
    return changes;
  }
}

/** A text that isn't JSON differs from what ran. */
function compare(text: string, nodeId: string, ran: RanNodes): NodeChange | undefined {
  const node = ran.get(nodeId);
  if (node === undefined) return 'added';
  return equalJson(parseJson(text), node) ? undefined : 'changed';
}
