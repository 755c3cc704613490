// The timeline: a lane for each node, whose bars stand to scale below one another.
import { createElement, createSvg } from './elements.ts';
import { KeptFocus } from './keptFocus.ts';
import type { Bar, Lane, PageTexts, RunHead } from './messages.ts';

export interface TimelinePaneEvents {
  readonly onSelect: (nodeId: string, nodeRunKey: string | null) => void;
  readonly onOpen: (nodeId: string, nodeRunKey: string | null) => void;
}

type Scale = NonNullable<RunHead['scale']>;

interface DrawnLane {
  readonly lane: Lane;
  readonly element: HTMLElement;
  readonly bars: SVGSVGElement;
  readonly aloud: HTMLElement;
  /** The bars that go on. */
  readonly open: readonly { readonly rect: SVGRectElement; readonly from: number }[];
}

interface Selected {
  readonly nodeId: string | null;
  readonly nodeRunKey: string | null;
}

const laneHeight = 16;
const barHeights: Readonly<Record<Bar['kind'], number>> = { work: 10, earlier: 10, wait: 4 };

export class TimelinePane {
  readonly element = createElement('section', 'timeline');
  readonly #axis = createElement('div', 'axis');
  readonly #list = createElement('div', 'lanes');
  readonly #empty = createElement('p', 'empty');
  readonly #events: TimelinePaneEvents;
  readonly #focus = new KeptFocus(this.#list, (id) => this.#lanes.get(id)?.element);
  #lanes = new Map<string, DrawnLane>();
  #order: readonly string[] = [];
  #scale: Scale | null = null;
  /** What the bars' places are measured from, in epoch milliseconds: a scale that begins earlier needs no new bars. */
  #base = 0;
  #selected: Selected = { nodeId: null, nodeRunKey: null };

  constructor(events: TimelinePaneEvents) {
    this.#events = events;
    this.#axis.setAttribute('aria-hidden', 'true');
    this.#list.setAttribute('role', 'listbox');
    this.element.append(this.#axis, this.#list, this.#empty);
    this.#list.addEventListener('click', ({ target }) => this.#click(target, this.#events.onSelect));
    this.#list.addEventListener('dblclick', ({ target }) => this.#click(target, this.#events.onOpen));
    this.#list.addEventListener('keydown', (event) => this.#press(event));
    new ResizeObserver(() => this.#drawAxis()).observe(this.#axis);
  }

  clear(texts: PageTexts): void {
    this.#focus.note();
    this.#lanes = new Map();
    this.#order = [];
    this.#scale = null;
    this.#list.setAttribute('aria-label', texts.timeline);
    this.#list.replaceChildren();
    this.#empty.textContent = texts.noTimes;
    this.#show();
  }

  /** `order` undefined: as before. */
  update(lanes: readonly Lane[], order: readonly string[] | undefined): void {
    const changed = new Set(lanes.map(({ id }) => id));
    // Those of another execution may lie days away, which the drawing has too few digits for.
    if ((order ?? this.#order).every((id) => changed.has(id))) this.#base = lanes[0]?.bars[0]?.from ?? 0;
    for (const lane of lanes) this.#lanes.set(lane.id, this.#draw(lane));
    if (order !== undefined) this.#arrange(order);
    this.#show();
    this.#updateRange();
    this.select(this.#selected, false);
  }

  /** Moves only lanes that are out of order. */
  #arrange(order: readonly string[]): void {
    this.#focus.note();
    this.#order = order;
    const kept = new Set(order);
    for (const [id, { element }] of this.#lanes) {
      if (kept.has(id)) continue;
      this.#lanes.delete(id);
      element.remove();
    }
    let next = this.#list.firstElementChild;
    for (const element of order.flatMap((id) => this.#lanes.get(id)?.element ?? [])) {
      if (element === next) next = element.nextElementSibling;
      else this.#list.insertBefore(element, next);
    }
  }

  /** null: no times are known. */
  setScale(scale: Scale | null): void {
    this.#scale = scale;
    this.#show();
    this.#updateRange();
  }

  select(selected: Selected, isRevealed: boolean): void {
    this.#selected = selected;
    const { nodeId, nodeRunKey } = selected;
    const stop = nodeId !== null && this.#lanes.has(nodeId) ? nodeId : this.#order[0];
    for (const [id, { element, bars, aloud, lane }] of this.#lanes) {
      element.setAttribute('aria-selected', String(id === nodeId));
      element.tabIndex = id === stop ? 0 : -1;
      const bar =
        id === nodeId && nodeRunKey !== null
          ? lane.bars.find((each) => each.nodeRunKey === nodeRunKey)
          : undefined;
      const text = [lane.aloud, bar?.label ?? ''].filter((part) => part !== '').join('. ');
      if (aloud.textContent !== text) aloud.textContent = text;
      for (const rect of bars.children)
        rect.classList.toggle('selected', bar !== undefined && rect.getAttribute('data-run') === nodeRunKey);
    }
    if (isRevealed && nodeId !== null) this.#lanes.get(nodeId)?.element.scrollIntoView({ block: 'nearest' });
  }

  get scrollTop(): number {
    return this.#list.scrollTop;
  }

  scrollTo(top: number): void {
    this.#list.scrollTop = top;
  }

  onDidScroll(listener: () => void): void {
    this.#list.addEventListener('scroll', listener, { passive: true });
  }

  #show(): void {
    const isEmpty = this.#scale === null || this.#order.length === 0;
    this.#empty.hidden = !isEmpty;
    this.#list.hidden = isEmpty;
    this.#axis.hidden = isEmpty;
    // What is hidden takes no focus.
    if (!isEmpty) this.#focus.giveBack();
  }

  /** An element that is there stays, with the focus that it may have. */
  #draw(lane: Lane): DrawnLane {
    const element = this.#lanes.get(lane.id)?.element ?? createElement('div', 'lane');
    element.dataset['id'] = lane.id;
    element.setAttribute('role', 'option');
    const bars = createSvg('svg', { class: 'bars', preserveAspectRatio: 'none', 'aria-hidden': 'true' });
    const open: { rect: SVGRectElement; from: number }[] = [];
    for (const bar of lane.bars) {
      const rect = this.#drawBar(bar);
      bars.append(rect);
      if (bar.isOpen) open.push({ rect, from: bar.from });
    }
    const aloud = createElement('span', 'aloud', lane.aloud);
    element.replaceChildren(
      createElement('span', 'name', lane.name),
      bars,
      createElement('span', 'detail', lane.detail),
      aloud,
    );
    return { lane, element, bars, aloud, open };
  }

  #drawBar({ from, to, state, kind, label, nodeRunKey, isDimmed }: Bar): SVGRectElement {
    const height = barHeights[kind];
    const rect = createSvg('rect', {
      x: from - this.#base,
      y: (laneHeight - height) / 2,
      height,
      class: `bar ${kind}${isDimmed ? ' dimmed' : ''}`,
      'data-state': state,
      ...(nodeRunKey === null ? {} : { 'data-run': nodeRunKey }),
    });
    stretch(rect, to - from);
    const title = createSvg('title', {});
    title.textContent = label;
    rect.append(title);
    return rect;
  }

  /** Fits the lanes to the scale, and the bars that go on to its end. */
  #updateRange(): void {
    if (this.#scale === null) return;
    const { from, to } = this.#scale;
    const viewBox = `${from - this.#base} 0 ${Math.max(1, to - from)} ${laneHeight}`;
    for (const { bars, open } of this.#lanes.values()) {
      bars.setAttribute('viewBox', viewBox);
      for (const { rect, from: begin } of open) stretch(rect, to - begin);
    }
    this.#drawAxis();
  }

  #drawAxis(): void {
    const { from, to } = this.#scale ?? { from: 0, to: 0 };
    const ticks = axisTicks(to - from, this.#axis.clientWidth).map(({ share, text }) => {
      const tick = createElement('span', 'tick', text);
      tick.style.left = `${share * 100}%`;
      return tick;
    });
    this.#axis.replaceChildren(...ticks);
  }

  #click(target: EventTarget | null, report: (nodeId: string, nodeRunKey: string | null) => void): void {
    const element = target instanceof Element ? target : null;
    const lane = element?.closest('.lane');
    const id = lane instanceof HTMLElement ? lane.dataset['id'] : undefined;
    if (id === undefined || id === '') return;
    const key = element?.closest('rect')?.getAttribute('data-run') ?? null;
    this.#choose(id, key);
    report(id, key);
  }

  #choose(id: string, nodeRunKey: string | null): void {
    this.select({ nodeId: id, nodeRunKey }, true);
    this.#lanes.get(id)?.element.focus({ preventScroll: true });
  }

  #press(event: KeyboardEvent): void {
    const lane = event.target instanceof HTMLElement ? event.target.closest<HTMLElement>('.lane') : null;
    const id = lane?.dataset['id'];
    if (id === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    const at = this.#order.indexOf(id);
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: this.#order.length - 1 }[event.key];
    const key = this.#selected.nodeId === id ? this.#selected.nodeRunKey : null;
    const run = this.#runAfterKey(id, key, event.key);
    const nextId = next === undefined ? undefined : this.#order[next];
    if (nextId !== undefined) this.#selectAndTell(nextId, null);
    else if (run !== undefined) this.#selectAndTell(id, run);
    else if (event.key === 'Enter' && id !== '') this.#events.onOpen(id, key);
    else if (next === undefined && !event.key.startsWith('Arrow')) return;
    event.preventDefault();
  }

  #selectAndTell(id: string, nodeRunKey: string | null): void {
    this.#choose(id, nodeRunKey);
    if (id !== '') this.#events.onSelect(id, nodeRunKey);
  }

  /** Right and left go from run to run. */
  #runAfterKey(id: string, from: string | null, key: string): string | undefined {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
    if (step === undefined) return undefined;
    const bars = this.#lanes.get(id)?.lane.bars ?? [];
    const keys = [...new Set(bars.flatMap(({ nodeRunKey }) => nodeRunKey ?? []))];
    return from === null ? keys[0] : keys[keys.indexOf(from) + step];
  }
}

/** A width in milliseconds that is drawn, as one of 0 isn't; its outline is all that's seen of it. */
const momentWidth = 0.001;

function stretch(rect: SVGRectElement, length: number): void {
  rect.setAttribute('width', String(Math.max(momentWidth, length)));
  rect.classList.toggle('moment', length <= 0);
}

const [second, minute, hour, day] = [1000, 60_000, 3_600_000, 86_400_000];
/** The distances between numbers on the scale that people count in. */
const steps: readonly number[] = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500],
  ...[1, 2, 5, 10, 15, 30].map((count) => count * second),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * minute),
  ...[1, 2, 3, 6, 12].map((count) => count * hour),
  ...[1, 2, 5, 10, 20, 50, 100].map((count) => count * day),
];

const longUnits = [
  [day, 'd'],
  [hour, 'h'],
  [minute, 'min'],
] as const;

/** "250 ms", "2 s", "70 s", "1.5 min": in the largest unit of which it takes at most one decimal. */
function tickText(milliseconds: number): string {
  if (milliseconds < second) return `${milliseconds} ms`;
  if (milliseconds >= 100 * day) return `${Math.round(milliseconds / day)} d`;
  const [unit, name] = longUnits.find(
    ([each]) => milliseconds >= each && (milliseconds * 10) % each === 0,
  ) ?? [second, 's'];
  return `${milliseconds / unit} ${name}`;
}

/** In pixels, so that no two run into each other. */
const tickWidth = 44;

/** Round numbers on a scale of this many milliseconds; `width`: in pixels; `share`: where each stands, from 0 to 1. */
export function axisTicks(
  length: number,
  width: number,
): readonly { readonly share: number; readonly text: string }[] {
  if (length <= 0) return [{ share: 0, text: tickText(0) }];
  const rough = length / Math.max(1, width / tickWidth);
  const step = steps.find((each) => each >= rough) ?? rough;
  // The last number must fit before the end.
  const room = Math.max(0, 1 - tickWidth / 2 / Math.max(1, width));
  const count = Math.floor((length * room) / step);
  return Array.from({ length: count + 1 }, (_, index) => ({
    share: (index * step) / length,
    text: tickText(index * step),
  }));
}
