// The graph: nodes as options of a list that the arrow keys walk along the edges, above lines that are decoration.
import { copyLook, drawEdges, drawLine, drawLoops, drawNode, type DrawnNode } from './drawGraph.ts';
import { createElement, createStateIcon } from './elements.ts';
import { KeptFocus } from './keptFocus.ts';
import type { Direction, Size } from './geometry.ts';
import { type PlacedGraph, placeGraph } from './layout.ts';
import type { EdgeLook, GraphEdge, PageNode, NodeLook, PageTexts } from './messages.ts';
import { nodeAfterKey, readingOrder } from './moves.ts';
import { firstView, fitView, holdView, revealBox, type View, zoomAbout, zoomView } from './viewport.ts';

export interface GraphPaneEvents {
  readonly onSelect: (nodeId: string | null) => void;
  readonly onOpen: (nodeId: string) => void;
  readonly onMove: (view: View) => void;
}

interface Drawn {
  readonly nodes: readonly PageNode[];
  readonly edges: readonly GraphEdge[];
  readonly texts: PageTexts;
  readonly placed: PlacedGraph;
  readonly byId: ReadonlyMap<string, DrawnNode>;
  readonly lines: readonly SVGPathElement[];
}

const zoomStep = 1.25;

function isUnderWay({ state }: NodeLook): boolean {
  return state === 'running' || state === 'waiting';
}

export class GraphPane {
  readonly element = createElement('section', 'graph');
  readonly #stage = createElement('div', 'stage');
  readonly #list = createElement('div', 'nodes');
  /** Says that the order is a plain one. */
  readonly #note = createElement('p', 'note');
  readonly #events: GraphPaneEvents;
  readonly #focus = new KeptFocus(this.#list, (id) => this.#node(id)?.element);
  #drawn: Drawn | undefined;
  #view: View = { x: 0, y: 0, scale: 1 };
  #selected: string | null = null;
  /** True once the user has moved or scaled the drawing: it then stays. */
  #isMoved = false;
  /** The last node that failed or ran. */
  #news: string | null = null;

  constructor(events: GraphPaneEvents) {
    this.#events = events;
    this.#list.setAttribute('role', 'listbox');
    this.#list.append(this.#stage);
    this.element.append(this.#list, this.#note);
    this.#listen();
    new ResizeObserver(() => this.#resize()).observe(this.element);
  }

  /** `view`: where the user had moved it to. */
  draw(nodes: readonly PageNode[], edges: readonly GraphEdge[], texts: PageTexts, view: View | null): void {
    this.#list.setAttribute('aria-label', texts.graph);
    this.#list.setAttribute('aria-description', texts.help);
    this.#isMoved = view !== null;
    this.#news = null;
    this.#place(nodes, edges, texts);
    this.#moveTo(view ?? this.#firstView());
  }

  update(looks: readonly NodeLook[], edges: readonly (readonly [number, EdgeLook])[]): void {
    for (const look of looks) this.#show(look);
    this.#followNews(looks);
    for (const [index, look] of edges) this.#drawn?.lines[index]?.setAttribute('data-look', look);
  }

  /** Shows a selection made elsewhere, or here. */
  select(nodeId: string | null, isRevealed: boolean): void {
    this.#node(this.#selected)?.element.setAttribute('aria-selected', 'false');
    this.#selected = nodeId;
    this.#node(nodeId)?.element.setAttribute('aria-selected', 'true');
    this.#rove();
    if (isRevealed && nodeId !== null) this.#reveal(nodeId);
  }

  focus(): void {
    const first = this.#drawn && readingOrder(this.#drawn.placed)[0];
    this.#node(this.#selected ?? first ?? null)?.element.focus({ preventScroll: true });
  }

  /** Scales about the selected node where it's in sight, else about the middle. */
  zoom(direction: 1 | -1): void {
    const box = this.#drawn?.placed.nodes.get(this.#selected ?? '');
    this.#moveByUser(zoomAbout(this.#view, zoomStep ** direction, box, this.#size()));
  }

  fit(): void {
    if (this.#drawn !== undefined) this.#moveByUser(fitView(this.#drawn.placed, this.#size()));
  }

  #size(): Size {
    return { width: this.element.clientWidth, height: this.element.clientHeight };
  }

  /** A wide window shows layers from left to right, a narrow one from top to bottom. */
  #direction(): Direction {
    const { width, height } = this.#size();
    return width >= height ? 'right' : 'down';
  }

  #firstView(): View {
    return this.#drawn === undefined ? this.#view : firstView(this.#drawn.placed, this.#size());
  }

  #node(id: string | null): DrawnNode | undefined {
    return id === null ? undefined : this.#drawn?.byId.get(id);
  }

  #place(nodes: readonly PageNode[], edges: readonly GraphEdge[], texts: PageTexts): void {
    const placed = placeGraph(nodes, edges, this.#direction());
    this.#note.textContent = texts.simplified;
    this.#note.hidden = !placed.isSimplified;
    const names = new Map(nodes.map(({ id, name }) => [id, name]));
    const following = Map.groupBy(edges, ({ source }) => source);
    const byId = new Map<string, DrawnNode>();
    const node = new Map(nodes.map((each) => [each.id, each]));
    for (const id of readingOrder(placed)) {
      const each = node.get(id);
      const box = placed.nodes.get(id);
      if (each === undefined || box === undefined) continue;
      const next = (following.get(id) ?? []).map(({ target }) => names.get(target) ?? '');
      const leadsTo = next.length === 0 ? '' : texts.leadsTo.replace('{0}', () => next.join(', '));
      byId.set(id, drawNode(each, box, leadsTo));
    }
    const lines = edges.map((_, index) => drawLine(placed.edges[index]?.points ?? []));
    this.#drawn = { nodes, edges, texts, placed, byId, lines };
    this.#focus.note();
    this.#stage.replaceChildren(
      ...drawLoops(placed, names, texts),
      drawEdges(placed, edges, lines),
      ...[...byId.values()].map(({ element }) => element),
    );
    this.select(this.#selected, false);
    this.#focus.giveBack();
  }

  /** Until the user has moved the drawing or selected a node, what fails or runs comes into sight. */
  #followNews(looks: readonly NodeLook[]): void {
    const news = looks.findLast(({ state }) => state === 'failed') ?? looks.findLast(isUnderWay);
    if (news === undefined) return;
    this.#news = news.id;
    if (!this.#isMoved && this.#selected === null) this.#reveal(news.id);
  }

  #reveal(nodeId: string): void {
    const box = this.#drawn?.placed.nodes.get(nodeId);
    if (box !== undefined) this.#moveTo(revealBox(this.#view, box, this.#size()));
  }

  #show({ id, state, detail, aloud, isDimmed }: NodeLook): void {
    const drawn = this.#node(id);
    if (drawn === undefined) return;
    drawn.element.dataset['state'] = state ?? 'none';
    drawn.element.classList.toggle('dimmed', isDimmed);
    drawn.state.replaceChildren(createStateIcon(state));
    drawn.detail.textContent = detail;
    drawn.aloud.textContent = [aloud, drawn.leadsTo].filter((text) => text !== '').join('. ');
    drawn.element.title = [drawn.name, detail, aloud].filter((text) => text !== '').join('\n');
  }

  /** One node can be reached with Tab: the selected one, or the first. */
  #rove(): void {
    const drawn = this.#drawn;
    if (drawn === undefined) return;
    const reached = this.#selected !== null && drawn.byId.has(this.#selected) ? this.#selected : undefined;
    const stop = reached ?? drawn.byId.keys().next().value;
    for (const [id, { element }] of drawn.byId) element.tabIndex = id === stop ? 0 : -1;
  }

  #moveTo(view: View): void {
    const drawing = this.#drawn?.placed ?? { width: 0, height: 0 };
    this.#view = holdView(view, drawing, this.#size());
    const { x, y, scale } = this.#view;
    this.#stage.style.transform = `translate(${x}px, ${y}px) scale(${scale})`;
    this.#stage.classList.toggle('far', scale < 0.5);
    this.#stage.classList.toggle('tiny', scale < 0.3);
  }

  #moveByUser(view: View): void {
    this.#isMoved = true;
    this.#moveTo(view);
    this.#events.onMove(this.#view);
  }

  #resize(): void {
    const drawn = this.#drawn;
    if (drawn === undefined || this.element.clientHeight === 0) return;
    if (drawn.placed.direction !== this.#direction()) {
      this.#place(drawn.nodes, drawn.edges, drawn.texts);
      this.#takeLooks(drawn);
      this.#isMoved = false;
    }
    this.#moveTo(this.#isMoved ? this.#view : this.#firstView());
    const inSight = this.#selected ?? this.#news;
    if (!this.#isMoved && inSight !== null) this.#reveal(inSight);
  }

  /** Gives the nodes and lines the looks that they had in an earlier drawing. */
  #takeLooks({ byId, lines }: Drawn): void {
    for (const [id, node] of byId) {
      const after = this.#node(id);
      if (after !== undefined) copyLook(node, after);
    }
    for (const [index, line] of lines.entries())
      this.#drawn?.lines[index]?.setAttribute('data-look', line.getAttribute('data-look') ?? 'plain');
  }

  #idOf(target: EventTarget | null): string | undefined {
    const element = target instanceof Element ? target.closest('.node') : null;
    return element instanceof HTMLElement ? element.dataset['id'] : undefined;
  }

  #listen(): void {
    const list = this.#list;
    list.addEventListener('click', ({ target }) => {
      const id = this.#idOf(target);
      if (id !== undefined) this.#choose(id);
    });
    list.addEventListener('dblclick', ({ target }) => {
      const id = this.#idOf(target);
      if (id !== undefined) this.#events.onOpen(id);
    });
    list.addEventListener('keydown', (event) => this.#press(event));
    this.element.addEventListener('wheel', (event) => this.#wheel(event), { passive: false });
    this.element.addEventListener('pointerdown', (event) => this.#grab(event));
  }

  #choose(id: string): void {
    this.select(id, true);
    this.#node(id)?.element.focus({ preventScroll: true });
    this.#events.onSelect(id);
  }

  #press(event: KeyboardEvent): void {
    const id = this.#idOf(event.target);
    const drawn = this.#drawn;
    if (id === undefined || drawn === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    const next = nodeAfterKey(drawn.placed, drawn.edges, id, event.key);
    if (next !== undefined) this.#choose(next);
    else if (event.key === 'Enter') this.#events.onOpen(id);
    else if (event.key === ' ') this.#choose(id);
    else if (event.key === 'Escape') {
      this.select(null, false);
      this.#events.onSelect(null);
    } else if (event.key === '+' || event.key === '=') this.zoom(1);
    else if (event.key === '-') this.zoom(-1);
    else if (event.key === '0') this.fit();
    else if (!event.key.startsWith('Arrow')) return;
    event.preventDefault();
  }

  #wheel(event: WheelEvent): void {
    event.preventDefault();
    const { x, y, scale } = this.#view;
    if (event.ctrlKey || event.metaKey) {
      const { left, top } = this.element.getBoundingClientRect();
      const at = { x: event.clientX - left, y: event.clientY - top };
      this.#moveByUser(zoomView(this.#view, Math.exp(-event.deltaY / 200), at));
      return;
    }
    const [deltaX, deltaY] = event.shiftKey ? [event.deltaY, event.deltaX] : [event.deltaX, event.deltaY];
    this.#moveByUser({ scale, x: x - deltaX, y: y - deltaY });
  }

  /** Drags the drawing by its background. */
  #grab({ target, button, pointerId, clientX, clientY }: PointerEvent): void {
    if (button !== 0 || this.#idOf(target) !== undefined) return;
    const { x, y, scale } = this.#view;
    const ended = new AbortController();
    const { signal } = ended;
    this.element.setPointerCapture(pointerId);
    this.element.addEventListener(
      'pointermove',
      (move) => this.#moveByUser({ scale, x: x + move.clientX - clientX, y: y + move.clientY - clientY }),
      { signal },
    );
    for (const end of ['pointerup', 'pointercancel'] as const)
      this.element.addEventListener(end, () => ended.abort(), { signal });
  }
}
