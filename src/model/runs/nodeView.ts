// What is to be seen of a node where one run stands for it: that of the selected iterations of the loops around it.
import { stringifyJson } from '../../base/json.ts';
import type { NodeRun } from '../../domain/nodeRun.ts';
import type { Iterations } from './iterations.ts';
import type { NodeSummary } from './nodeSummary.ts';
import {
  type IterationItem,
  iterationsAround,
  type NodeItems,
  type RunItem,
  type Scope,
} from './runItems.ts';

/** The index of a loop's iteration by the loop's key: see LoopPosition. */
export type IterationSelection = ReadonlyMap<string, number>;

/** A loop around a node, with its selected iteration. */
export interface LoopPosition {
  /** The same for all nodes in the loop. */
  readonly key: string;
  /** The node that is the loop, or that the service repeats; null if the service doesn't say. */
  readonly nodeId: string | null;
  /** From 0. */
  readonly index: number;
  /** How many iterations there are so far; 0 if the loop has none inside the selected iteration of the loop around it. */
  readonly count: number;
}

export interface NodeView extends NodeSummary {
  /** Outermost first. */
  readonly loops: readonly LoopPosition[];
  /** The last attempt in the selected iterations; undefined if the node has no run there. */
  readonly run: NodeRun | undefined;
  /** The attempts before `run`, in order. */
  readonly earlier: readonly NodeRun[];
}

export function viewNode(root: Scope, { first, summary }: NodeItems, selected: IterationSelection): NodeView {
  const { item, loops } = new SelectedPath(root, first, selected);
  return { ...summary, loops, run: item?.run, earlier: attemptsBefore(item) };
}

/** Returns the selected iteration of a loop; undefined if it has none. */
export function findSelected(loop: RunItem, selected: IterationSelection): IterationItem | undefined {
  return loop.iterations?.at(positionIn(loop, loop.iterations, selected).index);
}

function attemptsBefore(item: RunItem | undefined): readonly NodeRun[] {
  const attempts: NodeRun[] = [];
  for (let each = item?.earlier ?? null; each !== null; each = each.earlier) attempts.push(each.run);
  return attempts.reverse();
}

/** A way from the outside into the selected iteration of loop after loop, to a node's last attempt there. */
export class SelectedPath {
  readonly loops: LoopPosition[] = [];
  /** undefined: the node has no run there. */
  readonly item: RunItem | undefined;
  readonly #selected: IterationSelection;
  /** undefined: there's no such iteration. */
  #scope: Scope | undefined;

  /** `example`: any run of the node. */
  constructor(root: Scope, example: RunItem, selected: IterationSelection) {
    this.#selected = selected;
    this.#scope = root;
    for (const { owner } of iterationsAround(example.scope)) this.#enter(owner);
    this.item = this.#find(example.run.nodeId);
  }

  /** `loop`: as it is in any iteration of those around it. */
  #enter(loop: IterationItem['owner']): void {
    const here = loop.kind === 'loop' ? this.#scope?.unknownLoop : this.#find(loop.run.nodeId);
    const iterations = here?.iterations ?? null;
    const position = positionIn(loop, iterations, this.#selected);
    this.loops.push(position);
    this.#scope = iterations?.at(position.index)?.scope;
  }

  #find(nodeId: string): RunItem | undefined {
    const repeated = this.#scope?.repeated.get(nodeId);
    if (repeated === undefined) return this.#scope?.latest.get(nodeId);
    const runs = repeated.iterations.members.filter(({ isSuperseded }) => !isSuperseded);
    const failed = runs.findIndex(({ state }) => state === 'failed');
    const name = { key: stringifyJson(['runs', nodeId]), nodeId };
    const position = positionOf(name, runs.length, failed, this.#selected);
    this.loops.push(position);
    return runs[position.index];
  }
}

/** Names the loop in a selection: see LoopPosition. */
export function loopKeyOf(loop: IterationItem['owner']): string {
  const name = loop.kind === 'loop' ? iterationsAround(loop.scope).length : loop.run.nodeId;
  return stringifyJson(['iterations', name]);
}

function positionIn(
  loop: IterationItem['owner'],
  iterations: Iterations<IterationItem> | null,
  selected: IterationSelection,
): LoopPosition {
  const nodeId = loop.kind === 'loop' ? null : loop.run.nodeId;
  const key = loopKeyOf(loop);
  const count = (iterations?.members.at(-1)?.index ?? -1) + 1;
  const preferred = iterations?.firstFailed ?? iterations?.members[0];
  return positionOf({ key, nodeId }, count, preferred?.index ?? 0, selected);
}

/** `preferred`: where none is selected, the first iteration with a failure is, or else the first one. */
function positionOf(
  name: Pick<LoopPosition, 'key' | 'nodeId'>,
  count: number,
  preferred: number,
  selected: IterationSelection,
): LoopPosition {
  const index = selected.get(name.key) ?? preferred;
  return { ...name, index: Math.max(0, Math.min(index, count - 1)), count };
}
