// Draws the nodes, lines and loops of a graph at their places.
import { createElement, createStateIcon, createSvg } from './elements.ts';
import type { Box, Point } from './geometry.ts';
import type { PlacedGraph } from './layout.ts';
import type { GraphEdge, PageNode, PageTexts } from './messages.ts';

export interface DrawnNode {
  readonly name: string;
  readonly element: HTMLElement;
  readonly state: HTMLElement;
  readonly detail: HTMLElement;
  /** What is read out after what is seen. */
  readonly aloud: HTMLElement;
  readonly leadsTo: string;
}

/** A line with rounded corners through the points. */
function linePath(points: readonly Point[]): string {
  const [first, ...rest] = points;
  const last = rest.at(-1);
  if (first === undefined || last === undefined) return '';
  const corners = rest.slice(0, -1).map((point, index) => {
    const next = rest[index + 1] ?? last;
    const isBeforeLast = index === rest.length - 2;
    const end = isBeforeLast ? last : { x: (point.x + next.x) / 2, y: (point.y + next.y) / 2 };
    return `Q${point.x} ${point.y} ${end.x} ${end.y}`;
  });
  return `M${first.x} ${first.y}${corners.join('')}L${last.x} ${last.y}`;
}

function place(element: HTMLElement, { x, y, width, height }: Box) {
  element.style.left = `${x}px`;
  element.style.top = `${y}px`;
  element.style.width = `${width}px`;
  element.style.height = `${height}px`;
}

export function drawNode({ id, name, type }: PageNode, box: Box, leadsTo: string): DrawnNode {
  const element = createElement('div', 'node');
  const state = createElement('span', 'state');
  const detail = createElement('span', 'detail', type);
  const words = createElement('span', 'words');
  words.append(createElement('span', 'name', name), detail);
  const aloud = createElement('span', 'aloud', leadsTo);
  element.append(state, words, aloud);
  element.dataset['id'] = id;
  element.dataset['state'] = 'none';
  element.setAttribute('role', 'option');
  element.setAttribute('aria-selected', 'false');
  place(element, box);
  state.append(createStateIcon(null));
  return { name, element, state, detail, aloud, leadsTo };
}

/** Gives one the look of another that is no longer drawn. */
export function copyLook({ element, state, detail, aloud }: DrawnNode, to: DrawnNode): void {
  to.element.className = element.className;
  to.element.dataset['state'] = element.dataset['state'] ?? 'none';
  to.state.replaceChildren(...state.childNodes);
  to.detail.textContent = detail.textContent;
  to.aloud.textContent = aloud.textContent;
  to.element.title = element.title;
}

export function drawLine(points: readonly Point[]): SVGPathElement {
  return createSvg('path', {
    d: linePath(points),
    class: 'line',
    'data-look': 'plain',
    'marker-end': 'url(#arrow)',
  });
}

/** The lines, their arrows, and the names of branches. */
export function drawEdges(
  placed: PlacedGraph,
  edges: readonly GraphEdge[],
  lines: readonly SVGPathElement[],
): SVGSVGElement {
  const { width, height } = placed;
  const svg = createSvg('svg', { class: 'edges', width, height, 'aria-hidden': 'true' });
  const marker = createSvg('marker', {
    id: 'arrow',
    viewBox: '0 0 8 8',
    refX: 7,
    refY: 4,
    markerWidth: 7,
    markerHeight: 7,
    orient: 'auto',
  });
  marker.append(createSvg('path', { d: 'M1 1l6 3l-6 3z', fill: 'context-stroke' }));
  const definitions = createSvg('defs', {});
  definitions.append(marker);
  svg.append(definitions, ...lines);
  for (const [index, { branch }] of edges.entries()) {
    const at = placed.edges[index]?.label ?? null;
    if (at === null) continue;
    const label = createSvg('text', { ...at, dy: '0.35em', class: 'branch' });
    label.textContent = branch;
    svg.append(label);
  }
  return svg;
}

export function drawLoops(
  placed: PlacedGraph,
  names: ReadonlyMap<string, string>,
  texts: PageTexts,
): readonly HTMLElement[] {
  return [...placed.loops].map(([id, box]) => {
    const element = createElement('div', 'loop');
    element.setAttribute('aria-hidden', 'true');
    element.append(
      createElement(
        'span',
        'loopTitle',
        texts.loopBody.replace('{0}', () => names.get(id) ?? ''),
      ),
    );
    place(element, box);
    return element;
  });
}
