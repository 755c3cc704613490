// Finds what has changed between two states of the page.
import { stringifyJson } from '../../base/json.ts';
import type { EdgeLook, Lane, NodeLook, RunHead, ToPage } from '../../webview/graph/messages.ts';

/** Everything that a page shows of an execution. */
export interface ShownRun {
  readonly head: RunHead;
  readonly nodes: readonly NodeLook[];
  /** In the order of the graph's edges. */
  readonly edges: readonly EdgeLook[];
  readonly lanes: readonly Lane[];
}

type RunMessage = Extract<ToPage, { readonly kind: 'run' }>;

/** Remembers what a page was sent, to send only what has changed. */
export class RunDifference {
  readonly #sent = new Map<string, string>();
  /** The ids of those that the page has. */
  #lanes: readonly string[] = [];

  /** undefined: nothing has changed. */
  next({ head, nodes, edges, lanes }: ShownRun): RunMessage | undefined {
    const laneOrder = lanes.map(({ id }) => id);
    this.#forgetOthers(laneOrder);
    const changedNodes = nodes.filter((node) => this.#isNew(`node ${node.id}`, node));
    const changedLanes = lanes.filter((lane) => this.#isNew(`lane ${lane.id}`, lane));
    const changedEdges = [...edges.entries()].filter(([index, look]) => this.#isNew(`edge ${index}`, look));
    const members = {
      ...(this.#isNew('head', head) && { head }),
      ...(changedNodes.length > 0 && { nodes: changedNodes }),
      ...(changedEdges.length > 0 && { edges: changedEdges }),
      ...(changedLanes.length > 0 && { lanes: changedLanes }),
      ...(this.#isNew('order', laneOrder) && { laneOrder }),
    };
    return Object.keys(members).length === 0 ? undefined : { kind: 'run', ...members };
  }

  /** A page keeps only the lanes of its order. */
  #forgetOthers(laneOrder: readonly string[]): void {
    const kept = new Set(laneOrder);
    for (const id of this.#lanes) if (!kept.has(id)) this.#sent.delete(`lane ${id}`);
    this.#lanes = laneOrder;
  }

  #isNew(name: string, value: unknown): boolean {
    const text = stringifyJson(value);
    if (this.#sent.get(name) === text) return false;
    this.#sent.set(name, text);
    return true;
  }
}
