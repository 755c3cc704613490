// What places of nodes and edges consist of, in pixels at the scale 1, and how lines and boxes lie to each other.
export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** x and y: the upper left corner. */
export interface Box extends Point, Size {}

/** "right": layers follow each other to the right; "down": downwards. */
export type Direction = 'right' | 'down';

export interface PlacedEdge {
  readonly points: readonly Point[];
  /** The center of the branch's name; null for an edge without a branch. */
  readonly label: Point | null;
}

export const movedBy = <T extends Point>(point: T, { x, y }: Point): T => ({
  ...point,
  x: point.x + x,
  y: point.y + y,
});

export const centerOf = ({ x, y, width, height }: Box): Point => ({ x: x + width / 2, y: y + height / 2 });

/** Where a line that leads on leaves one box and reaches the other: in the middle of their sides. undefined: it doesn't lead on. */
export function lineBetween(
  source: Box,
  target: Box,
  direction: Direction,
): readonly [begin: Point, end: Point] | undefined {
  const [from, to] = [centerOf(source), centerOf(target)];
  const [right, bottom] = [source.x + source.width, source.y + source.height];
  if (direction === 'right')
    return right > target.x
      ? undefined
      : [
          { x: right, y: from.y },
          { x: target.x, y: to.y },
        ];
  return bottom > target.y
    ? undefined
    : [
        { x: from.x, y: bottom },
        { x: to.x, y: target.y },
      ];
}

/** An edge between members of one box. */
export interface LevelEdge {
  readonly index: number;
  readonly source: string;
  readonly target: string;
  readonly branch: string;
}

/** The layout of what one box holds. */
export interface PlacedLevel extends Size {
  /** By the member's name. */
  readonly members: ReadonlyMap<string, Box>;
  /** By the index of the edge. */
  readonly edges: ReadonlyMap<number, PlacedEdge>;
}
