// The layers of a graph by the longest way to each node, and a plain placing in them, which takes no longer than reading the edges.
import {
  type Box,
  centerOf,
  type Direction,
  type LevelEdge,
  lineBetween,
  type PlacedEdge,
  type PlacedLevel,
  type Size,
} from './geometry.ts';

export interface Layers {
  /** The names of the members of each layer, in their order. */
  readonly layers: readonly (readonly string[])[];
  /** How many layers all edges cross together: what a layout without crossings costs. */
  readonly crossed: number;
}

interface Follow {
  readonly name: string;
  readonly next: readonly string[];
  at: number;
}

/** The members in an order in which all edges lead on, but those that close a circle: these lead back. */
function sortMembers(names: readonly string[], following: ReadonlyMap<string, readonly string[]>) {
  const places = new Map<string, number>();
  const seen = new Set<string>();
  const sorted: string[] = [];
  const enter = (name: string): Follow => {
    seen.add(name);
    return { name, next: following.get(name) ?? [], at: 0 };
  };
  // A list instead of recursion: a chain may be as long as a graph is large.
  for (const root of names) {
    const path = seen.has(root) ? [] : [enter(root)];
    for (let last = path.at(-1); last !== undefined; last = path.at(-1)) {
      const next = last.next[last.at];
      last.at += 1;
      if (next === undefined) {
        sorted.push(last.name);
        path.pop();
      } else if (!seen.has(next)) path.push(enter(next));
    }
  }
  sorted.reverse();
  for (const [place, name] of sorted.entries()) places.set(name, place);
  return { sorted, places };
}

export function findLayers(names: readonly string[], edges: readonly LevelEdge[]): Layers {
  const targets = Map.groupBy(edges, ({ source }) => source);
  const following = new Map([...targets].map(([name, own]) => [name, own.map(({ target }) => target)]));
  const { sorted, places } = sortMembers(names, following);
  const depths = new Map<string, number>();
  const depthOf = (name: string): number => depths.get(name) ?? 0;
  const placeOf = (name: string): number => places.get(name) ?? 0;
  // An edge that leads back holds its ends apart as well.
  const ahead = Map.groupBy(
    edges
      .filter(({ source, target }) => source !== target)
      .map(({ source, target }) =>
        placeOf(source) < placeOf(target) ? { from: source, to: target } : { from: target, to: source },
      ),
    ({ from }) => from,
  );
  for (const name of sorted)
    for (const { to } of ahead.get(name) ?? []) depths.set(to, Math.max(depthOf(to), depthOf(name) + 1));
  const layers: string[][] = [];
  for (const name of sorted) (layers[depthOf(name)] ??= []).push(name);
  let crossed = 0;
  for (const { source, target } of edges) crossed += Math.abs(depthOf(target) - depthOf(source));
  return { layers, crossed };
}

interface Gaps {
  readonly nodesep: number;
  readonly ranksep: number;
}

function placeMembers(
  layers: Layers['layers'],
  sizes: ReadonlyMap<string, Size>,
  direction: Direction,
  { nodesep, ranksep }: Gaps,
): ReadonlyMap<string, Box> {
  const boxes = new Map<string, Box>();
  let along = 0;
  for (const layer of layers) {
    let [across, depth] = [0, 0];
    for (const name of layer) {
      const { width, height } = sizes.get(name) ?? { width: 0, height: 0 };
      const isRight = direction === 'right';
      boxes.set(name, { x: isRight ? along : across, y: isRight ? across : along, width, height });
      across += (isRight ? height : width) + nodesep;
      depth = Math.max(depth, isRight ? width : height);
    }
    along += depth + ranksep;
  }
  return boxes;
}

/** Places each layer in its order, with straight lines between them. */
export function placeInLayers(
  layers: Layers['layers'],
  sizes: ReadonlyMap<string, Size>,
  edges: readonly LevelEdge[],
  direction: Direction,
  gaps: Gaps,
): PlacedLevel {
  const members = placeMembers(layers, sizes, direction, gaps);
  const lines = new Map<number, PlacedEdge>();
  for (const { index, source, target, branch } of edges) {
    const [from, to] = [members.get(source), members.get(target)];
    if (from === undefined || to === undefined) continue;
    // From middle to middle where it doesn't lead on.
    const [begin, end] = lineBetween(from, to, direction) ?? [centerOf(from), centerOf(to)];
    const label = branch === '' ? null : { x: (begin.x + end.x) / 2, y: (begin.y + end.y) / 2 };
    lines.set(index, { points: [begin, end], label });
  }
  let [width, height] = [0, 0];
  for (const box of members.values()) {
    width = Math.max(width, box.x + box.width);
    height = Math.max(height, box.y + box.height);
  }
  return { members, edges: lines, width, height };
}
