// The page of the graph: shows what the extension sends, and reports what the user selects.
import { createElement, createStateIcon, createTool, type Tool } from './elements.ts';
import { GraphPane } from './graphPane.ts';
import {
  type FromPage,
  type GraphSubject,
  isToPage,
  noRun,
  type PageAction,
  type PageTexts,
  type RunHead,
  type ToPage,
} from './messages.ts';
import { TimelinePane } from './timelinePane.ts';
import type { View } from './viewport.ts';

/** What survives a reload and the time in which the page is hidden. */
interface PageState {
  readonly subject: GraphSubject | null;
  readonly view: View | null;
  readonly timelineTop: number;
}

interface VsCodeApi {
  readonly postMessage: (message: FromPage) => void;
  readonly getState: () => unknown;
  readonly setState: (state: PageState) => void;
}

declare const acquireVsCodeApi: () => VsCodeApi;

const noState: PageState = { subject: null, view: null, timelineTop: 0 };
/** How often a live scale moves on between two messages, in milliseconds. */
const tickMs = 1000;

/** The page itself wrote it, perhaps in an earlier version. */
function isPageState(value: unknown): value is PageState {
  return (
    typeof value === 'object' &&
    value !== null &&
    'subject' in value &&
    'view' in value &&
    'timelineTop' in value
  );
}

function isSameWorkflow(one: GraphSubject | null, other: GraphSubject): boolean {
  return one?.connectionId === other.connectionId && one.workflowId === other.workflowId;
}

class Page {
  readonly #api: VsCodeApi;
  readonly #head = createElement('header', 'head');
  readonly #headState = createElement('span', 'state');
  readonly #headTitle = createElement('h1', 'headTitle');
  readonly #headText = createElement('span', 'headText');
  readonly #headNote = createElement('p', 'headNote');
  readonly #panes = createElement('main', 'panes');
  readonly #nothing = createElement('p', 'nothing');
  readonly #graph: GraphPane;
  readonly #timeline: TimelinePane;
  readonly #tools = new Map<Tool, HTMLButtonElement>();
  readonly #ran = new Set<string>();
  /** Those of them that weren't only passed over. */
  readonly #retryable = new Set<string>();
  #state: PageState;
  #runHead: RunHead | undefined;
  #headAt = 0;

  constructor(api: VsCodeApi) {
    this.#api = api;
    const kept = api.getState();
    this.#state = isPageState(kept) ? kept : noState;
    this.#graph = new GraphPane({
      onSelect: (nodeId) => this.#select(nodeId, null),
      onOpen: (nodeId) => this.#open(nodeId, this.#runOf(nodeId)),
      onMove: (view) => this.#keep({ view }),
    });
    this.#timeline = new TimelinePane({
      onSelect: (nodeId, nodeRunKey) => this.#select(nodeId, nodeRunKey),
      onOpen: (nodeId, nodeRunKey) => this.#open(nodeId, nodeRunKey),
    });
    this.#timeline.onDidScroll(() => this.#keep({ timelineTop: this.#timeline.scrollTop }));
    this.#build();
    window.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      if (isToPage(data)) this.#receive(data);
    });
    window.addEventListener('focus', () => {
      if (document.activeElement === document.body) this.#graph.focus();
    });
    window.setInterval(() => this.#tick(), tickMs);
    api.postMessage({ kind: 'ready', subject: this.#state.subject });
  }

  #build(): void {
    for (const each of [this.#headText, this.#headNote]) each.setAttribute('role', 'status');
    const bar = createElement('div', 'tools');
    bar.setAttribute('role', 'toolbar');
    const add = (tool: Tool, run: () => void): void => {
      const button = createTool(tool);
      button.addEventListener('click', run);
      this.#tools.set(tool, button);
      bar.append(button);
    };
    add('showLatest', () => this.#act({ kind: 'showLatest' }));
    add('retry', () => this.#act({ kind: 'retry', nodeId: null }));
    add('retryNode', () => this.#withSelected((nodeId) => this.#act({ kind: 'retry', nodeId })));
    add('debug', () => this.#act({ kind: 'debug' }));
    add('openNodeRun', () => this.#withSelected((nodeId) => this.#open(nodeId, this.#runOf(nodeId))));
    add('reveal', () => this.#withSelected((nodeId) => this.#act({ kind: 'reveal', nodeId })));
    add('zoomOut', () => this.#graph.zoom(-1));
    add('fit', () => this.#graph.fit());
    add('zoomIn', () => this.#graph.zoom(1));
    this.#head.append(this.#headState, this.#headTitle, this.#headText, bar);
    this.#panes.append(this.#graph.element, this.#timeline.element);
    this.#head.hidden = true;
    this.#headNote.hidden = true;
    this.#panes.hidden = true;
    document.body.append(this.#head, this.#headNote, this.#panes, this.#nothing);
  }

  #receive(message: ToPage): void {
    switch (message.kind) {
      case 'nothing':
        this.#nothing.textContent = message.text;
        this.#setShown(false);
        break;
      case 'graph':
        this.#showGraph(message);
        break;
      case 'run':
        this.#showRun(message);
        break;
      case 'select':
        this.#showSelection(message.subject, true);
    }
  }

  #setShown(isShown: boolean): void {
    this.#nothing.hidden = isShown;
    this.#head.hidden = !isShown;
    if (!isShown) this.#headNote.hidden = true;
    this.#panes.hidden = !isShown;
  }

  #showGraph({ subject, title, texts, nodes, edges }: Extract<ToPage, { readonly kind: 'graph' }>): void {
    const isKnown = isSameWorkflow(this.#state.subject, subject);
    const { view, timelineTop } = isKnown ? this.#state : noState;
    this.#setShown(true);
    this.#headTitle.textContent = title;
    this.#headTitle.title = title;
    this.#ran.clear();
    this.#retryable.clear();
    this.#nameTools(texts);
    this.#timeline.clear(texts);
    this.#graph.draw(nodes, edges, texts, view);
    this.#keep({ view, timelineTop });
    this.#showHead(noRun);
    this.#showSelection(subject, view === null);
  }

  #nameTools(texts: PageTexts): void {
    for (const [tool, button] of this.#tools) {
      button.title = texts[tool];
      button.setAttribute('aria-label', texts[tool]);
    }
    this.#head.querySelector('.tools')?.setAttribute('aria-label', texts.graph);
  }

  #showRun({
    head,
    nodes = [],
    edges = [],
    lanes = [],
    laneOrder,
  }: Extract<ToPage, { readonly kind: 'run' }>): void {
    for (const { id, hasRuns, state } of nodes) {
      if (hasRuns) this.#ran.add(id);
      else this.#ran.delete(id);
      if (hasRuns && state !== 'skipped' && state !== 'unknown') this.#retryable.add(id);
      else this.#retryable.delete(id);
    }
    this.#graph.update(nodes, edges);
    if (lanes.length > 0 || laneOrder !== undefined) this.#timeline.update(lanes, laneOrder);
    if (head !== undefined) this.#showHead(head);
    if (laneOrder !== undefined) this.#timeline.scrollTo(this.#state.timelineTop);
    this.#enableTools();
  }

  #showHead(head: RunHead): void {
    const before = this.#runHead;
    this.#runHead = head;
    this.#headAt = performance.now();
    if (before?.state !== head.state) this.#headState.replaceChildren(createStateIcon(head.state));
    // Setting the same text again would have it read out again.
    if (this.#headText.textContent !== head.text) this.#headText.textContent = head.text;
    this.#headText.title = head.text;
    if (this.#headNote.textContent !== head.note) this.#headNote.textContent = head.note;
    this.#headNote.hidden = head.note === '';
    this.#hideTool('showLatest', head.isLatest);
    this.#hideTool('debug', !head.canDebug);
    this.#hideTool('retry', !head.canRetry);
    this.#hideTool('retryNode', !head.canRetryFromNode);
    this.#timeline.setScale(head.scale);
  }

  #hideTool(tool: Tool, isHidden: boolean): void {
    const button = this.#tools.get(tool);
    if (button !== undefined) button.hidden = isHidden;
  }

  #disableTool(tool: Tool, isDisabled: boolean): void {
    const button = this.#tools.get(tool);
    if (button !== undefined) button.disabled = isDisabled;
  }

  /** What goes on reaches as far as time has passed here since the service reported last. */
  #tick(): void {
    const { scale, isLive } = this.#runHead ?? { scale: null, isLive: false };
    if (scale !== null && isLive)
      this.#timeline.setScale({ from: scale.from, to: scale.to + performance.now() - this.#headAt });
  }

  #showSelection(subject: GraphSubject, isRevealed: boolean): void {
    this.#keep({ subject });
    this.#graph.select(subject.nodeId, isRevealed);
    this.#timeline.select(subject, isRevealed);
    this.#enableTools();
  }

  #act(action: PageAction): void {
    const { subject } = this.#state;
    if (subject === null) return;
    const { connectionId, workflowId, executionId } = subject;
    this.#api.postMessage({ kind: 'act', shown: { connectionId, workflowId, executionId }, action });
  }

  #select(nodeId: string | null, nodeRunKey: string | null): void {
    const { subject } = this.#state;
    if (subject === null) return;
    this.#keep({ subject: { ...subject, nodeId, nodeRunKey } });
    this.#graph.select(nodeId, true);
    this.#timeline.select({ nodeId, nodeRunKey }, true);
    this.#enableTools();
    this.#act({ kind: 'select', nodeId, nodeRunKey });
  }

  #open(nodeId: string, nodeRunKey: string | null): void {
    if (this.#ran.has(nodeId)) this.#act({ kind: 'open', nodeId, nodeRunKey });
    else this.#act({ kind: 'reveal', nodeId });
  }

  #runOf(nodeId: string): string | null {
    const { subject } = this.#state;
    return subject?.nodeId === nodeId ? subject.nodeRunKey : null;
  }

  #withSelected(run: (nodeId: string) => void): void {
    const nodeId = this.#state.subject?.nodeId ?? null;
    if (nodeId !== null) run(nodeId);
  }

  #enableTools(): void {
    const nodeId = this.#state.subject?.nodeId ?? null;
    this.#disableTool('openNodeRun', nodeId === null || !this.#ran.has(nodeId));
    this.#disableTool('retryNode', nodeId === null || !this.#retryable.has(nodeId));
    this.#disableTool('reveal', nodeId === null);
  }

  #keep(change: Partial<PageState>): void {
    this.#state = { ...this.#state, ...change };
    this.#api.setState(this.#state);
  }
}

new Page(acquireVsCodeApi());
