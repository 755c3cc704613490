// What places of nodes and edges consist of, in pixels at the scale 1.
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
