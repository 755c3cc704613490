// Makes the elements of the page. Texts are set as text, never as HTML.
import type { LookState } from './messages.ts';

const svgNamespace = 'http://www.w3.org/2000/svg';

export function createElement<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  className: string,
  text = '',
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  element.className = className;
  if (text !== '') element.textContent = text;
  return element;
}

export function createSvg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Readonly<Record<string, string | number>>,
): SVGElementTagNameMap[K] {
  const element = document.createElementNS(svgNamespace, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  return element;
}

const ring = 'M8 1.75a6.25 6.25 0 1 0 0 12.5a6.25 6.25 0 1 0 0-12.5z';

/** Each state has a shape of its own, so that nobody depends on colors. */
const shapes: Readonly<Record<LookState | 'none', string>> = {
  queued: ring,
  running: 'M8 1.75a6.25 6.25 0 1 1-6.25 6.25',
  waiting: `${ring}M8 4.5v3.75l2.5 1.5`,
  completed: `${ring}M5.25 8.25l2 2l3.75-4.25`,
  failed: `${ring}M5.75 5.75l4.5 4.5M10.25 5.75l-4.5 4.5`,
  handled: 'M8 2.25l6.25 11.25h-12.5zM8 6.5v3.25M8 11.6v.1',
  cancelled: `${ring}M3.75 12.25l8.5-8.5`,
  skipped: 'M2.5 8h10.5M9.5 4.5l3.5 3.5l-3.5 3.5',
  unknown: `${ring}M6.25 6.25a1.75 1.75 0 1 1 2.5 1.6c-.5.25-.75.6-.75 1.15M8 11.4v.1`,
  none: 'M6 8h4',
};

/** Decoration: the word beside it says the same. */
export function createStateIcon(state: LookState | null): SVGSVGElement {
  const icon = createSvg('svg', { viewBox: '0 0 16 16', class: 'icon', 'aria-hidden': 'true' });
  icon.dataset['state'] = state ?? 'none';
  icon.append(createSvg('path', { d: shapes[state ?? 'none'] }));
  return icon;
}

const toolShapes = {
  zoomIn: 'M8 3v10M3 8h10',
  zoomOut: 'M3 8h10',
  // Nodes with their edges: the editor's own Maximize has the four corners.
  fit: 'M1.5 6h4v4h-4zM10.5 2h4v4h-4zM10.5 10h4v4h-4zM5.5 8h2.5M10.5 4h-2.5v8h2.5',
  openNodeRun: 'M4 2.5h5.5l3 3v8h-8.5zM9.5 2.5v3h3',
  reveal: 'M5.5 4.5l-3.5 3.5l3.5 3.5M10.5 4.5l3.5 3.5l-3.5 3.5',
  showLatest: 'M3 3v10l6-5zM12 3v10',
  retry: 'M3 3v10M6 3v10l7-5z',
  // A beetle, as on the editor's own buttons.
  debug:
    'M5 6.5h6v3.5a3 3 0 0 1-6 0zM6 6.5V5.5a2 2 0 0 1 4 0v1M5 8H2.5M5 10.5l-2 1.5M5 6.5l-2-1.5M11 8h2.5M11 10.5l2 1.5M11 6.5l2-1.5M8 6.5V13',
  retryNode: 'M12.5 9a4.75 4.75 0 1 1-1.4-4.1L13 6.75M13 2.5v4.25h-4.25',
} as const;
export type Tool = keyof typeof toolShapes;

export function createTool(tool: Tool): HTMLButtonElement {
  const button = createElement('button', 'tool');
  button.type = 'button';
  const icon = createSvg('svg', { viewBox: '0 0 16 16', class: 'icon', 'aria-hidden': 'true' });
  icon.append(createSvg('path', { d: toolShapes[tool] }));
  button.append(icon);
  return button;
}
