// Where the keys lead from a node: along its edges, or to its neighbors beside it.
import type { Box, PlacedGraph } from './layout.ts';
import type { GraphEdge } from './messages.ts';

type Move = 'next' | 'previous' | 'before' | 'after' | 'first' | 'last';

const arrows: Readonly<Record<PlacedGraph['direction'], Readonly<Record<string, Move>>>> = {
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

function placeOf({ x, y, width, height }: Box, direction: PlacedGraph['direction']): Place {
  const [centerX, centerY] = [x + width / 2, y + height / 2];
  return direction === 'right' ? { along: centerX, across: centerY } : { along: centerY, across: centerX };
}

/** The order in which the nodes are read out: layer by layer. */
export function readingOrder({ nodes, direction }: PlacedGraph): readonly string[] {
  const placed = [...nodes].map(([id, box]) => ({ id, ...placeOf(box, direction) }));
  return placed
    .toSorted((one, other) => one.along - other.along || one.across - other.across)
    .map(({ id }) => id);
}

/** The node of the list that is nearest to another one. */
function nearest(graph: PlacedGraph, from: string, ids: readonly string[]): string | undefined {
  const start = graph.nodes.get(from);
  if (start === undefined) return undefined;
  const here = placeOf(start, graph.direction);
  let best: { readonly id: string; readonly distance: number } | undefined;
  for (const id of ids) {
    const box = graph.nodes.get(id);
    if (box === undefined || id === from) continue;
    const there = placeOf(box, graph.direction);
    const distance = Math.abs(there.across - here.across) + Math.abs(there.along - here.along) / 4;
    if (best === undefined || distance < best.distance) best = { id, distance };
  }
  return best?.id;
}

/** The nodes that stand beside another one, on one side of it, and overlap its layer. */
function beside(graph: PlacedGraph, from: string, side: -1 | 1): readonly string[] {
  const start = graph.nodes.get(from);
  if (start === undefined) return [];
  const here = placeOf(start, graph.direction);
  const reach = graph.direction === 'right' ? start.width : start.height;
  return [...graph.nodes].flatMap(([id, box]) => {
    const there = placeOf(box, graph.direction);
    const isInLayer = Math.abs(there.along - here.along) < reach;
    return isInLayer && Math.sign(there.across - here.across) === side ? [id] : [];
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
    case 'next':
      return nearest(
        graph,
        from,
        edges.flatMap(({ source, target }) => (source === from ? [target] : [])),
      );
    case 'previous':
      return nearest(
        graph,
        from,
        edges.flatMap(({ source, target }) => (target === from ? [source] : [])),
      );
    case 'before':
      return nearest(graph, from, beside(graph, from, -1));
    case 'after':
      return nearest(graph, from, beside(graph, from, 1));
    case 'first':
      return readingOrder(graph)[0];
    case 'last':
      return readingOrder(graph).at(-1);
    default:
      return undefined;
  }
}
