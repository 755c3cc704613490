// Breaks a long layout into rows, as a text into lines: it breaks only where exactly one edge leads on.
import {
  type Box,
  type Direction,
  type LevelEdge,
  movedBy,
  type PlacedEdge,
  type PlacedLevel,
  type Point,
} from './geometry.ts';

interface WrappedLevel extends PlacedLevel {
  /** Where each row begins across the layers, in pixels: y for the direction "right". Not empty. */
  readonly rows: readonly number[];
}

/** A graph with fewer layers, or with at most this length per height, stays in one row. */
const least = { layers: 13, ratio: 4 } as const;
/** The length of the rows per their height together, about that of the pane. Fixed, so that resizing moves nothing. */
const ratios = { right: 2.5, down: 1.5 } as const;
const rowGap = 40;
/** How far a line leads beyond the ends of its rows. */
const turn = 16;
const cornerRadius = 8;
/** From the end of a row to the center of a branch's name. */
const labelInset = 48;

/** Layers between which nothing breaks, or those of a row. */
interface Piece {
  readonly members: readonly string[];
  /** Along the layers. */
  readonly start: number;
  readonly end: number;
  /** Across them. */
  top: number;
  bottom: number;
}

/** A piece that is moved by so much. */
interface Row extends Piece {
  readonly shift: Point;
}

const flipPoint = ({ x, y }: Point): Point => ({ x: y, y: x });

/** Swaps x and y: a layout downwards becomes one to the right, and back. */
function flip({ members, edges, width, height }: PlacedLevel): PlacedLevel {
  const flipBox = ({ x, y, width: w, height: h }: Box): Box => ({ x: y, y: x, width: h, height: w });
  const flipEdge = ({ points, label }: PlacedEdge): PlacedEdge => ({
    points: points.map(flipPoint),
    label: label && flipPoint(label),
  });
  return {
    members: new Map([...members].map(([name, box]) => [name, flipBox(box)])),
    edges: new Map([...edges].map(([index, edge]) => [index, flipEdge(edge)])),
    width: height,
    height: width,
  };
}

function layersOf(members: PlacedLevel['members']): readonly (readonly string[])[] {
  const layers: string[][] = [];
  let end = -Infinity;
  for (const [name, box] of [...members].toSorted(([, one], [, other]) => one.x - other.x)) {
    const last = layers.at(-1);
    if (last === undefined || box.x > end) layers.push([name]);
    else last.push(name);
    end = Math.max(end, box.x + box.width);
  }
  return layers;
}

/** By the layer: how many edges lead into it or past it from the layers before. */
function countCrossing(
  layers: readonly (readonly string[])[],
  edges: readonly LevelEdge[],
): readonly number[] {
  const layerOf = new Map(layers.flatMap((layer, at) => layer.map((name) => [name, at])));
  const changes = layers.map(() => 0);
  for (const { source, target } of edges) {
    const [from = 0, to = 0] = [layerOf.get(source), layerOf.get(target)];
    const [first, last] = [Math.min(from, to) + 1, Math.max(from, to) + 1];
    changes[first] = (changes[first] ?? 0) + 1;
    changes[last] = (changes[last] ?? 0) - 1;
  }
  let crossing = 0;
  return layers.map((_, at) => (crossing += changes[at] ?? 0));
}

function joinPieces(pieces: readonly Piece[]): Piece {
  const [first, last] = [pieces[0], pieces.at(-1)];
  return {
    members: pieces.flatMap(({ members }) => members),
    start: first?.start ?? 0,
    end: last?.end ?? 0,
    top: Math.min(...pieces.map(({ top }) => top)),
    bottom: Math.max(...pieces.map(({ bottom }) => bottom)),
  };
}

/** The parts between the places where exactly one edge leads on. */
function findPieces(
  layers: readonly (readonly string[])[],
  { members, edges }: PlacedLevel,
  ends: readonly LevelEdge[],
): readonly Piece[] {
  const crossing = countCrossing(layers, ends);
  const groups: string[][] = [];
  for (const [at, layer] of layers.entries()) {
    const last = groups.at(-1);
    if (last === undefined || crossing[at] === 1) groups.push([...layer]);
    else last.push(...layer);
  }
  const pieces = groups.map((names): Piece => {
    const piece = { members: names, start: Infinity, end: 0, top: Infinity, bottom: 0 };
    for (const name of names) {
      const { x, y, width, height } = members.get(name) ?? { x: 0, y: 0, width: 0, height: 0 };
      piece.start = Math.min(piece.start, x);
      piece.end = Math.max(piece.end, x + width);
      piece.top = Math.min(piece.top, y);
      piece.bottom = Math.max(piece.bottom, y + height);
    }
    return piece;
  });
  const places = placesOf(pieces);
  for (const { index, source, target } of ends) {
    const { points = [], label = null } = edges.get(index) ?? {};
    const passed = pieces.slice(places.get(source), (places.get(target) ?? 0) + 1);
    for (const { x, y } of label === null ? points : [...points, label]) {
      const piece = passed.findLast(({ start }) => start <= x);
      if (piece === undefined) continue;
      piece.top = Math.min(piece.top, y);
      piece.bottom = Math.max(piece.bottom, y);
    }
  }
  return pieces;
}

/** The place in the list by the member's name. */
function placesOf(pieces: readonly Piece[]): ReadonlyMap<string, number> {
  return new Map(pieces.flatMap(({ members }, at) => members.map((name) => [name, at])));
}

/** Rows of at most this length, where no piece is longer. */
function breakPieces(pieces: readonly Piece[], length: number): readonly (readonly Piece[])[] {
  const rows: Piece[][] = [];
  for (const piece of pieces) {
    const row = rows.at(-1);
    if (row?.[0] === undefined || piece.end - row[0].start > length) rows.push([piece]);
    else row.push(piece);
  }
  return rows;
}

/** The rows that can be shown at the largest scale in a pane of the ratio. */
function chooseRows(pieces: readonly Piece[], ratio: number): readonly Piece[] {
  const { start, end } = joinPieces(pieces);
  const longest = Math.max(...pieces.map((piece) => piece.end - piece.start));
  let best: { readonly rows: readonly Piece[]; readonly size: number } | undefined;
  for (let count = 1; count <= pieces.length && (end - start) / count >= longest; count += 1) {
    const rows = breakPieces(pieces, (end - start) / count).map(joinPieces);
    const length = Math.max(...rows.map((row) => row.end - row.start));
    let height = (rows.length - 1) * rowGap;
    for (const { top, bottom } of rows) height += bottom - top;
    const size = Math.max(length, height * ratio);
    if (best === undefined || size < best.size) best = { rows, size };
    if (height * ratio > length) break;
  }
  return best?.rows ?? [];
}

/** Rows below each other, with room for lines at both ends. */
function stackRows(pieces: readonly Piece[]): readonly Row[] {
  let at = 0;
  return pieces.map((piece) => {
    const shift = { x: turn - piece.start, y: at - piece.top };
    at += piece.bottom - piece.top + rowGap;
    return { ...piece, shift };
  });
}

/** Where a line that leads to the right passes. */
function pointAt(points: readonly Point[], x: number): Point {
  const next = points.findIndex((point) => point.x >= x);
  const [from, to] = [points[next - 1], points[next]];
  if (from === undefined || to === undefined) return { x, y: (to ?? points.at(-1))?.y ?? 0 };
  return { x, y: from.y + ((to.y - from.y) * (x - from.x)) / (to.x - from.x) };
}

/** Each corner between two points gets a point before and after it, so that only the corner is rounded. */
function sharpenCorners(points: readonly Point[]): readonly Point[] {
  return points.flatMap((corner, at) => {
    const [before, after] = [points[at - 1], points[at + 1]];
    if (before === undefined || after === undefined) return [corner];
    const towards = ({ x, y }: Point): Point => ({
      x: corner.x + Math.sign(x - corner.x) * cornerRadius,
      y: corner.y + Math.sign(y - corner.y) * cornerRadius,
    });
    return [towards(before), corner, towards(after)];
  });
}

/** From the end of a row through the gap below it to the beginning of the next one. */
function turnPoints(from: Point, row: Row, to: Point): readonly Point[] {
  const gap = row.bottom + row.shift.y + rowGap / 2;
  const [right, left] = [from.x + turn, to.x - turn];
  return sharpenCorners([
    from,
    { x: right, y: from.y },
    { x: right, y: gap },
    { x: left, y: gap },
    { x: left, y: to.y },
    to,
  ]);
}

/** `passed`: the rows from the edge's source to its target. */
function wrapEdge({ points, label }: PlacedEdge, passed: readonly Row[], direction: Direction): PlacedEdge {
  const [first, last] = [passed[0], passed.at(-1)];
  if (first === undefined || last === undefined) return { points: [], label: null };
  if (first === last)
    return {
      points: points.map((point) => movedBy(point, first.shift)),
      label: label && movedBy(label, first.shift),
    };
  const wrapped = passed.flatMap((row, at): readonly Point[] => {
    const next = passed[at + 1];
    const inside = points
      .filter(({ x }) => (row === first || x > row.start) && (row === last || x < row.end))
      .map((point) => movedBy(point, row.shift));
    if (next === undefined) return inside;
    const end = movedBy(pointAt(points, row.end), row.shift);
    const start = movedBy(pointAt(points, next.start), next.shift);
    return [...inside, ...turnPoints(end, row, start)];
  });
  const end = movedBy(pointAt(points, first.end), first.shift);
  const gap = first.bottom + first.shift.y + rowGap / 2;
  const labelAt =
    direction === 'right' ? { x: end.x - labelInset, y: gap } : { x: end.x + turn, y: (end.y + gap) / 2 };
  return { points: wrapped, label: label && labelAt };
}

function wrapRight(level: PlacedLevel, ends: readonly LevelEdge[], direction: Direction): WrappedLevel {
  const inOneRow = { ...level, rows: [0] };
  if (level.width <= least.ratio * level.height) return inOneRow;
  const layers = layersOf(level.members);
  if (layers.length < least.layers) return inOneRow;
  const rows = stackRows(chooseRows(findPieces(layers, level, ends), ratios[direction]));
  if (rows.length < 2) return inOneRow;
  const places = placesOf(rows);
  const rowAt = (name: string): Point => rows[places.get(name) ?? 0]?.shift ?? { x: 0, y: 0 };
  const edges = new Map<number, PlacedEdge>();
  for (const { index, source, target } of ends) {
    const edge = level.edges.get(index);
    const [from = 0, to = 0] = [places.get(source), places.get(target)];
    if (edge !== undefined) edges.set(index, wrapEdge(edge, rows.slice(from, to + 1), direction));
  }
  const bottom = rows.at(-1);
  return {
    members: new Map([...level.members].map(([name, box]) => [name, movedBy(box, rowAt(name))])),
    edges,
    width: Math.max(...rows.map(({ start, end }) => end - start)) + 2 * turn,
    height: bottom === undefined ? 0 : bottom.bottom + bottom.shift.y,
    rows: rows.map(({ top, shift }) => top + shift.y),
  };
}

/** Returns what isn't long as it is. `ends`: all edges of the level. */
export function wrapLevel(
  level: PlacedLevel,
  ends: readonly LevelEdge[],
  direction: Direction,
): WrappedLevel {
  if (direction === 'right') return wrapRight(level, ends, direction);
  const wrapped = wrapRight(flip(level), ends, direction);
  return { ...flip(wrapped), rows: wrapped.rows };
}
