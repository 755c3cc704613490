// Where the nodes and edges of a graph are drawn: in layers, long ones in rows, each loop's body laid out by itself and drawn as one box.
import { Graph, layout } from '@dagrejs/dagre';
import {
  type Box,
  type Direction,
  type LevelEdge,
  lineBetween,
  movedBy,
  type PlacedEdge,
  type PlacedLevel,
  type Point,
  type Size,
} from './geometry.ts';
import { findLayers, placeInLayers } from './layers.ts';
import type { GraphEdge, PageNode } from './messages.ts';
import { wrapLevel } from './wrap.ts';

export interface PlacedGraph {
  readonly direction: Direction;
  /** Where each row of layers begins across them, in pixels: y for the direction "right". Not empty. */
  readonly rows: readonly number[];
  readonly nodes: ReadonlyMap<string, Box>;
  /** The bodies of loops by the loop's id, outer ones first. */
  readonly loops: ReadonlyMap<string, Box>;
  /** In the order of the edges. An edge into a loop's body ends at its box. */
  readonly edges: readonly PlacedEdge[];
  readonly width: number;
  readonly height: number;
  /** Parts of it are in plain layers, since more would take too long. */
  readonly isSimplified: boolean;
}

const nodeSize = { width: 216, height: 40 } as const;
const margin = 12;
/** Room for the title of a loop's box. */
const titleHeight = 18;
const gaps = { nodesep: 16, edgesep: 12, ranksep: 28 } as const;
const rankdirs = { right: 'LR', down: 'TB' } as const;

/** What one box holds. The outermost one has the empty id. */
interface Level {
  readonly nodes: string[];
  /** The loops whose bodies are in it. */
  readonly loops: string[];
  /** The ends are names of members. */
  readonly edges: LevelEdge[];
}

/**
 * How many members, and layers crossed by edges, are laid out with care. What the library takes grows with them: this many take at most
 * about a second, and a hundred times as many take minutes and gigabytes, while the page stands still.
 */
const maximumCost = 2500;

const outermost = '';
/** The names of a box's members: a loop's node and its body have the same id. */
const nodeName = (id: string): string => `node ${id}`;
const bodyName = (loop: string): string => `body ${loop}`;

/** The loops around each node, outermost first. */
function findPaths(nodes: readonly PageNode[]): ReadonlyMap<string, readonly string[]> {
  const loopOf = new Map(nodes.map(({ id, loop }) => [id, loop]));
  const pathTo = (id: string): readonly string[] => {
    const path: string[] = [];
    let loop = loopOf.get(id) ?? null;
    while (loop !== null && !path.includes(loop)) {
      path.unshift(loop);
      loop = loopOf.get(loop) ?? null;
    }
    return path;
  };
  return new Map(nodes.map(({ id }) => [id, pathTo(id)]));
}

/** Sorts nodes into their boxes, and lifts each edge to the innermost box that holds both ends. */
function findLevels(nodes: readonly PageNode[], edges: readonly GraphEdge[]): ReadonlyMap<string, Level> {
  const paths = findPaths(nodes);
  const levels = new Map<string, Level>([[outermost, { nodes: [], loops: [], edges: [] }]]);
  const levelOf = (path: readonly string[]): Level => {
    const loop = path.at(-1) ?? outermost;
    const known = levels.get(loop);
    if (known !== undefined) return known;
    const level: Level = { nodes: [], loops: [], edges: [] };
    levels.set(loop, level);
    levelOf(path.slice(0, -1)).loops.push(loop);
    return level;
  };
  for (const [id, path] of paths) levelOf(path).nodes.push(id);
  for (const [index, { source, target, branch }] of edges.entries()) {
    const [from, to] = [paths.get(source), paths.get(target)];
    if (from === undefined || to === undefined) continue;
    let depth = 0;
    while (from[depth] !== undefined && from[depth] === to[depth]) depth += 1;
    const memberOf = (path: readonly string[], id: string): string => {
      const loop = path[depth];
      return loop === undefined ? nodeName(id) : bodyName(loop);
    };
    const ends = { source: memberOf(from, source), target: memberOf(to, target) };
    levelOf(from.slice(0, depth)).edges.push({ index, branch, ...ends });
  }
  return levels;
}

/** The room that the name of a branch takes. */
function labelSize(branch: string): Size {
  return branch === '' ? { width: 0, height: 0 } : { width: Math.min(90, branch.length * 6 + 6), height: 12 };
}

/** Lets a line that leads on leave and reach its boxes in the middle of their sides. */
function attach(
  points: readonly Point[],
  source: Box | undefined,
  target: Box | undefined,
  direction: Direction,
): readonly Point[] {
  const ends = source && target && lineBetween(source, target, direction);
  return ends === undefined ? points : [ends[0], ...points.slice(1, -1), ends[1]];
}

function placeWithCare(
  sizes: ReadonlyMap<string, Size>,
  edges: Level['edges'],
  direction: Direction,
): PlacedLevel {
  const graph = new Graph({ multigraph: true });
  graph.setGraph({ rankdir: rankdirs[direction], ranker: 'tight-tree', ...gaps });
  for (const [name, size] of sizes) graph.setNode(name, { ...size });
  // The library stacks what it sees last on top.
  for (const { index, source, target, branch } of edges.toReversed())
    graph.setEdge(source, target, { ...labelSize(branch), labelpos: 'c' }, String(index));
  layout(graph);
  const boxOf = (name: string, { width, height }: Size): Box => {
    const { x = 0, y = 0 } = graph.node(name);
    return { x: x - width / 2, y: y - height / 2, width, height };
  };
  const boxes = new Map([...sizes].map(([name, size]) => [name, boxOf(name, size)]));
  const { width = 0, height = 0 } = graph.graph();
  return {
    members: boxes,
    edges: new Map(
      edges.map(({ index, source, target, branch }) => {
        const { points = [], x = 0, y = 0 } = graph.edge(source, target, String(index));
        const line = attach(points, boxes.get(source), boxes.get(target), direction);
        return [index, { points: line, label: branch === '' ? null : { x, y } }];
      }),
    ),
    // Without nodes, the library says -Infinity.
    width: Math.max(0, width),
    height: Math.max(0, height),
  };
}

/** Lays the innermost boxes out first, since each is a member of the one around it. */
function placeLevels(
  levels: ReadonlyMap<string, Level>,
  direction: Direction,
): {
  readonly placed: ReadonlyMap<string, PlacedLevel>;
  readonly rows: readonly number[];
  readonly isSimplified: boolean;
} {
  const placed = new Map<string, PlacedLevel>();
  let left = maximumCost;
  let isSimplified = false;
  const placeLevel = (sizes: ReadonlyMap<string, Size>, edges: Level['edges']): PlacedLevel => {
    const { layers, crossed } = findLayers([...sizes.keys()], edges);
    const cost = sizes.size + 2 * crossed;
    if (cost <= left) {
      left -= cost;
      return placeWithCare(sizes, edges, direction);
    }
    isSimplified = true;
    return placeInLayers(layers, sizes, edges, direction, gaps);
  };
  const place = (id: string): PlacedLevel => {
    const { nodes, loops, edges } = levels.get(id) ?? { nodes: [], loops: [], edges: [] };
    const bodies = loops.map((loop): [string, Size] => {
      const { width, height } = place(loop);
      return [bodyName(loop), { width: width + 2 * margin, height: height + 2 * margin + titleHeight }];
    });
    const members = nodes.map((node): [string, Size] => [nodeName(node), nodeSize]);
    const level = placeLevel(new Map([...members, ...bodies]), edges);
    placed.set(id, level);
    return level;
  };
  const whole = wrapLevel(place(outermost), levels.get(outermost)?.edges ?? [], direction);
  placed.set(outermost, whole);
  return { placed, rows: whole.rows, isSimplified };
}

/** Takes some tens of milliseconds for hundreds of nodes, and about a second for any others. Ignores edges from or to unknown nodes. */
export function placeGraph(
  nodes: readonly PageNode[],
  edges: readonly GraphEdge[],
  direction: Direction,
): PlacedGraph {
  const levels = findLevels(nodes, edges);
  const { placed, rows, isSimplified } = placeLevels(levels, direction);
  const boxes = new Map<string, Box>();
  const loops = new Map<string, Box>();
  const lines: PlacedEdge[] = edges.map(() => ({ points: [], label: null }));
  const put = (id: string, at: Point): void => {
    const level = placed.get(id);
    const moved = <T extends Point>(point: T): T => movedBy(point, at);
    for (const [index, { points, label }] of level?.edges ?? [])
      lines[index] = { points: points.map(moved), label: label && moved(label) };
    for (const node of levels.get(id)?.nodes ?? []) {
      const box = level?.members.get(nodeName(node));
      if (box !== undefined) boxes.set(node, moved(box));
    }
    for (const loop of levels.get(id)?.loops ?? []) {
      const box = level?.members.get(bodyName(loop));
      if (box === undefined) continue;
      const body = moved(box);
      loops.set(loop, body);
      put(loop, { x: body.x + margin, y: body.y + margin + titleHeight });
    }
  };
  put(outermost, { x: margin, y: margin });
  const { width, height } = placed.get(outermost) ?? { width: 0, height: 0 };
  return {
    direction,
    rows: rows.map((at) => at + margin),
    nodes: boxes,
    loops,
    edges: lines,
    width: width + 2 * margin,
    height: height + 2 * margin,
    isSimplified,
  };
}
