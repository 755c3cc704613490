// What is shown of each node where one run stands for it: of a loop's turns the one that was chosen.
import type { NodeRun } from '../../domain/nodeRun.ts';
import { type NodeSummary, summarizeNodeRuns } from './nodeSummaries.ts';
import { isLoop } from './runTree.ts';
import type { ChosenTurns } from '../executions/shownTurns.ts';

/** A loop around a node, with the turn that is shown. */
export interface ShownLoop {
  /** The same for all nodes in the loop. */
  readonly key: string;
  /** The node that is the loop, or that the service repeats; null if the service doesn't say. */
  readonly nodeId: string | null;
  /** From 0. */
  readonly turn: number;
  /** How many turns there are so far; 0 if the loop has none inside the shown turn of the loop around it. */
  readonly count: number;
}

export interface ShownNode extends NodeSummary {
  /** Outermost first. */
  readonly loops: readonly ShownLoop[];
  /** The last attempt in the turn that is shown; undefined if the node has no run in that turn. */
  readonly run: NodeRun | undefined;
}

/**
 * Returns each node's runs and the one that is shown, by node id. Where no turn was chosen, that's the first one with a failure, or else
 * the first one.
 */
export function showNodes(nodeRuns: readonly NodeRun[], chosen: ChosenTurns): ReadonlyMap<string, ShownNode> {
  const summaries = summarizeNodeRuns(nodeRuns);
  const loopsOf = findLoops(nodeRuns);
  const counts = countTurns([...summaries.values()], loopsOf);
  const shown = new Map<string, ShownNode>();
  for (const [nodeId, summary] of summaries)
    shown.set(nodeId, showNode(summary, loopsOf.get(nodeId) ?? [], counts, chosen));
  return shown;
}

/** The turns of one loop inside one turn of the loops around it. */
interface TurnCount {
  count: number;
  /** The first turn in which a node failed; Infinity without one. */
  firstFailed: number;
}

type LoopName = Pick<ShownLoop, 'key' | 'nodeId'>;

/** Returns the loops around each node, outermost first. Turns belong to the last loop before them. */
function findLoops(nodeRuns: readonly NodeRun[]): ReadonlyMap<string, readonly LoopName[]> {
  const found = new Map<string, readonly LoopName[]>();
  /** The last loop in a turn of the loops around it. */
  const last = new Map<string, LoopName>();
  for (const run of nodeRuns) {
    const { nodeId, iteration } = run;
    if (!found.has(nodeId))
      found.set(
        nodeId,
        iteration.map((_turn, depth) => last.get(placeName('', iteration, depth)) ?? unknownLoop(depth)),
      );
    if (isLoop(run)) last.set(placeName('', iteration, iteration.length), nameLoop('turns', nodeId));
  }
  return found;
}

function countTurns(
  summaries: readonly NodeSummary[],
  loopsOf: ReadonlyMap<string, readonly LoopName[]>,
): ReadonlyMap<string, TurnCount> {
  const counts = new Map<string, TurnCount>();
  for (const { nodeId, turns } of summaries)
    for (const [depth, { key }] of (loopsOf.get(nodeId) ?? []).entries())
      countLoop(counts, key, depth, turns);
  return counts;
}

/** Successive turns are mostly in the same turn of the loops around them, whose name is made once. */
function countLoop(
  counts: Map<string, TurnCount>,
  key: string,
  depth: number,
  turns: readonly NodeRun[],
): void {
  let place: readonly number[] | undefined;
  let counted: TurnCount = { count: 0, firstFailed: Infinity };
  for (const { iteration, status } of turns) {
    const turn = iteration[depth];
    if (turn === undefined) continue;
    if (place === undefined || !startAlike(place, iteration, depth)) {
      const name = placeName(key, iteration, depth);
      counted = counts.get(name) ?? { count: 0, firstFailed: Infinity };
      counts.set(name, counted);
      place = iteration;
    }
    counted.count = Math.max(counted.count, turn + 1);
    if (status?.state === 'failed') counted.firstFailed = Math.min(counted.firstFailed, turn);
  }
}

function showNode(
  summary: NodeSummary,
  names: readonly LoopName[],
  counts: ReadonlyMap<string, TurnCount>,
  chosen: ChosenTurns,
): ShownNode {
  const loops: ShownLoop[] = [];
  const place: number[] = [];
  for (const [depth, name] of names.entries()) {
    const counted = counts.get(placeName(name.key, place, depth)) ?? { count: 0, firstFailed: Infinity };
    const loop = showLoop(name, counted, chosen);
    loops.push(loop);
    place.push(loop.turn);
  }
  const [run, ...others] = summary.turns.filter(({ iteration }) => isSamePlace(iteration, place));
  if (run === undefined || others.length === 0) return { ...summary, loops, run };
  // The service repeats the node without numbering the turns.
  const turns = [run, ...others];
  const failed = turns.findIndex(({ status }) => status?.state === 'failed');
  const counted = { count: turns.length, firstFailed: failed === -1 ? Infinity : failed };
  const loop = showLoop(nameLoop('runs', summary.nodeId), counted, chosen);
  return { ...summary, loops: [...loops, loop], run: turns[loop.turn] };
}

function showLoop(name: LoopName, { count, firstFailed }: TurnCount, chosen: ChosenTurns): ShownLoop {
  const wanted = chosen.get(name.key) ?? (firstFailed === Infinity ? 0 : firstFailed);
  return { ...name, turn: Math.max(0, Math.min(wanted, count - 1)), count };
}

/** "turns": of the nodes in a loop. "runs": of a node that is repeated. */
function nameLoop(kind: 'turns' | 'runs', nodeId: string): LoopName {
  return { key: JSON.stringify([kind, nodeId]), nodeId };
}

function unknownLoop(depth: number): LoopName {
  return { key: JSON.stringify(['turns', depth]), nodeId: null };
}

/** Names a loop inside the turns of the first `depth` loops around it. */
function placeName(key: string, iteration: readonly number[], depth: number): string {
  return `${iteration.slice(0, depth).join(',')} ${key}`;
}

function isSamePlace(one: readonly number[], other: readonly number[]): boolean {
  return one.length === other.length && startAlike(one, other, one.length);
}

/** True if the first `depth` turns are the same. */
function startAlike(one: readonly number[], other: readonly number[], depth: number): boolean {
  for (let at = 0; at < depth; at += 1) if (one[at] !== other[at]) return false;
  return true;
}
