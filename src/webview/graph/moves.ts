// Where the keys lead from a node: along its edges, or to its neighbors beside it.
import { type Box, centerOf, type Direction } from './geometry.ts';
import type { PlacedGraph } from './layout.ts';
import type { GraphEdge } from './messages.ts';

type Move = 'next' | 'previous' | 'before' | 'after' | 'first' | 'last';

const arrows: Readonly<Record<Direction, Readonly<Record<string, Move>>>> = {
  right: { ArrowRight: 'next', ArrowLeft: 'previous', ArrowUp: 'before', ArrowDown: 'after' },
  down: { ArrowDown: 'next', ArrowUp: 'previous', ArrowLeft: 'before', ArrowRight: 'after' },
};
const ends: Readonly<Record<string, Move>> = { Home: 'first', End: 'last' };

interface Place {
  /** Along the layers. */
  readonly along: number;
  /** Across them. */
  readonly across: number;
}

function placeOf(box: Box, direction: Direction): Place {
  const { x, y } = centerOf(box);
  return direction === 'right' ? { along: x, across: y } : { along: y, across: x };
}

/** The order in which the nodes are read out: row by row, in each layer by layer. */
export function readingOrder({ nodes, rows, direction }: PlacedGraph): readonly string[] {
  const placed = [...nodes].map(([id, box]) => {
    const place = placeOf(box, direction);
    return { id, ...place, row: rows.findLastIndex((start) => start <= place.across) };
  });
  return placed
    .toSorted((one, other) => one.row - other.row || one.along - other.along || one.across - other.across)
    .map(({ id }) => id);
}

/** The node of the list that is nearest to another one. `weight`: how much the distance along the layers counts. */
function nearest(
  graph: PlacedGraph,
  from: string,
  ids: readonly string[],
  weight: number,
): string | undefined {
  const start = graph.nodes.get(from);
  if (start === undefined) return undefined;
  const here = placeOf(start, graph.direction);
  let best: { readonly id: string; readonly distance: number } | undefined;
  for (const id of ids) {
    const box = graph.nodes.get(id);
    if (box === undefined || id === from) continue;
    const there = placeOf(box, graph.direction);
    const distance = Math.abs(there.across - here.across) + weight * Math.abs(there.along - here.along);
    if (best === undefined || distance < best.distance) best = { id, distance };
  }
  return best?.id;
}

/** Along an edge, the straightest one counts; beside a node, the layer. */
const weights = { edge: 0.25, layer: 2 } as const;

/** The nodes on one side of another one, those of other layers too: the body of a loop has layers of its own. */
function beside(graph: PlacedGraph, from: string, side: -1 | 1): readonly string[] {
  const start = graph.nodes.get(from);
  if (start === undefined) return [];
  const here = placeOf(start, graph.direction);
  const least = (graph.direction === 'right' ? start.height : start.width) / 2;
  return [...graph.nodes].flatMap(([id, box]) => {
    const { across } = placeOf(box, graph.direction);
    return (across - here.across) * side >= least ? [id] : [];
  });
}

/** Returns the node that a key leads to; undefined for a key that leads nowhere from here. */
export function nodeAfterKey(
  graph: PlacedGraph,
  edges: readonly GraphEdge[],
  from: string,
  key: string,
): string | undefined {
  switch (arrows[graph.direction][key] ?? ends[key]) {
    case 'next': {
      const targets = edges.flatMap(({ source, target }) => (source === from ? [target] : []));
      return nearest(graph, from, targets, weights.edge);
    }
    case 'previous': {
      const sources = edges.flatMap(({ source, target }) => (target === from ? [source] : []));
      return nearest(graph, from, sources, weights.edge);
    }
    case 'before':
      return nearest(graph, from, beside(graph, from, -1), weights.layer);
    case 'after':
      return nearest(graph, from, beside(graph, from, 1), weights.layer);
    case 'first':
      return readingOrder(graph)[0];
    case 'last':
      return readingOrder(graph).at(-1);
    default:
      return undefined;
  }
}
