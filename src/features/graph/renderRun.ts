// What the page shows of an execution: above the graph, on its nodes and edges, and in the timeline. Pure.
import * as l10n from '@vscode/l10n';
import type { NodeLog } from '../../domain/nodeLog.ts';
import { joined, plainLine } from '../../base/format.ts';
import type { ShownExecution } from '../../model/selection/shownExecution.ts';
import type { RanNodes } from '../../model/workflows/ranDefinitions.ts';
import { measureTimeline, type Timeline, type TimedRun } from '../../model/runs/timeline.ts';
import {
  describeGoneRuns,
  executionWord,
  isRetryable,
  nameShown,
  retryWords,
} from '../../words/executionWords.ts';
import { formatDuration } from '../../words/time.ts';
import {
  type Bar,
  type GraphEdge,
  type Lane,
  noRun,
  type PageTexts,
  type RunHead,
} from '../../webview/graph/messages.ts';
import type { WorkflowGraph } from './readGraph.ts';
import type { ShownRun } from './runDifference.ts';
import { markDifferent, renderEdge, renderNode, type Summaries, lookOf } from './renderNodes.ts';
import { worstState } from '../../model/runs/nodeSummary.ts';
import type { RunTree } from '../../model/runs/runTree.ts';
import {
  describeAttempt,
  describeDuration,
  hasTakenResult,
  originWord,
  runWord,
} from '../../words/nodeState.ts';

/** What may be done, and what is pointed out, beside what the execution says. */
interface PageContext {
  /** Whether the service can retry executions, and whether from any node. */
  readonly offersRetry?: boolean;
  readonly offersRetryFromNode?: boolean;
  /** The first node that differs in the comparison that's open; null without one. */
  readonly differentNodeId?: string | null;
  /** The nodes that the execution ran; undefined where they aren't known. */
  readonly ran?: RanNodes | undefined;
}

function renderHead(
  shown: ShownExecution,
  timeline: Timeline | undefined,
  { offersRetry = false, offersRetryFromNode = false }: PageContext,
): RunHead {
  if (shown.kind !== 'execution') {
    const text = shown.kind === 'none' ? l10n.t('Not executed yet') : '';
    return { ...noRun, text };
  }
  const { execution, isLatest, goneRuns } = shown;
  const { status, durationMs } = execution;
  const name = nameShown(execution, isLatest);
  const duration = durationMs === null ? undefined : formatDuration(durationMs);
  return {
    state: status.state,
    text: joined([name, executionWord(execution), duration, retryWords(execution)], ' · '),
    note: goneRuns > 0 ? describeGoneRuns(goneRuns) : '',
    isLatest,
    scale: timeline?.whole ?? null,
    isLive: !status.isTerminal && ['running', 'waiting'].includes(status.state),
    canDebug: true,
    canRetry: offersRetry && status.isTerminal && isRetryable(execution),
    canRetryFromNode: offersRetry && offersRetryFromNode && status.isTerminal,
  };
}

/** `rows`: the last ones are enough, since they only say up to when something is known. */
export function renderRun(
  graph: WorkflowGraph,
  shown: ShownExecution,
  rows: readonly NodeLog[],
  context: PageContext = {},
): ShownRun {
  const hasExecution = shown.kind === 'execution';
  // Of a long log, the rest is still read.
  const mayHaveRun = !hasExecution || (shown.execution.status.isTerminal && !shown.isWhole);
  const wordFor = (nodeId: string): string | undefined => {
    if (hasExecution && context.ran?.has(nodeId) === false) return l10n.t('added since this execution');
    return mayHaveRun ? undefined : l10n.t('not run');
  };
  const summaries: Summaries = hasExecution ? shown.runTree.summaries() : new Map();
  const timeline = hasExecution ? measureTimeline(shown.execution, rows, shown.nodeRuns) : undefined;
  const incoming = Map.groupBy(graph.edges, ({ target }) => target);
  const outgoing = Map.groupBy(graph.edges, ({ source }) => source);
  const around = ({ source, target }: GraphEdge) => ({
    incoming: incoming.get(target) ?? [],
    outgoing: outgoing.get(source) ?? [],
  });
  return {
    head: renderHead(shown, timeline, context),
    nodes: graph.nodes.map((node) => {
      const look = renderNode(node, summaries.get(node.id), wordFor(node.id));
      return node.id === context.differentNodeId ? markDifferent(look) : look;
    }),
    edges: graph.edges.map((edge) => renderEdge(edge, around(edge), summaries)),
    lanes: timeline === undefined || !hasExecution ? [] : renderLanes(timeline, shown.runTree),
  };
}

/** The page has no translations of its own. */
export function renderPageTexts(): PageTexts {
  return {
    graph: l10n.t('Workflow graph'),
    timeline: l10n.t('Timeline'),
    zoomIn: l10n.t('Zoom In'),
    zoomOut: l10n.t('Zoom Out'),
    fit: l10n.t('Show Whole Graph'),
    openNodeRun: l10n.t('Open Node Run'),
    reveal: l10n.t('Show in Definition'),
    showLatest: l10n.t('Show Latest'),
    retry: l10n.t('Retry from Failed Node'),
    debug: l10n.t('Debug Execution'),
    retryNode: l10n.t('Retry from Here'),
    noTimes: l10n.t('No nodes have run'),
    leadsTo: l10n.t('Leads to {0}'),
    loopBody: l10n.t('Each iteration of {0}'),
    simplified: l10n.t('Simplified layout: the graph has too many edges.'),
    help: l10n.t('The arrow keys follow the edges, Enter or a double click opens the node run.'),
  };
}

/** A lane with more runs has several in each bar: no screen has more room. */
export const maximumBars = 200;

/** "Iteration 3, attempt 2: failed, 1.2 s", "completed, reused". */
function labelOf({ run }: TimedRun): string {
  const place = joined(
    [
      run.iteration.length === 0
        ? undefined
        : l10n.t('iteration {0}', run.iteration.map((index) => index + 1).join('.')),
      describeAttempt(run),
    ],
    ', ',
  );
  return joined([place, joined([runWord(run), originWord(run), describeDuration(run)], ', ')], ': ');
}

/** Alternately what the run worked and what it waited. `isEarlier`: another attempt followed. */
function barsOf(timed: TimedRun, isEarlier: boolean): readonly Bar[] {
  const { run, from, to, waits, isOpen } = timed;
  const isDimmed = hasTakenResult(run);
  const shared = { state: lookOf(run), nodeRunKey: run.key, isDimmed } as const;
  const label = labelOf(timed);
  const bars: Bar[] = [];
  let at = from;
  const work = (end: number): void => {
    if (end > at || bars.length === 0)
      bars.push({ ...shared, from: at, to: end, isOpen: false, kind: isEarlier ? 'earlier' : 'work', label });
    at = end;
  };
  for (const wait of waits) {
    if (wait.from > at) work(wait.from);
    const length = formatDuration(wait.to - wait.from);
    const label = l10n.t('waiting, {0}', length);
    bars.push({ ...shared, ...wait, isOpen: false, kind: 'wait', label });
    at = wait.to;
  }
  work(to);
  return bars.map((bar, index) => (index === bars.length - 1 ? { ...bar, isOpen } : bar));
}

/** One bar for successive runs. */
function mergeRuns(runs: readonly TimedRun[]): readonly Bar[] {
  const [first] = runs;
  const last = runs.at(-1);
  if (first === undefined || last === undefined) return [];
  const states = runs.flatMap(({ run }) => (run.isHandled ? [] : (run.status?.state ?? 'unknown')));
  const failed = states.filter((state) => state === 'failed').length;
  const count = l10n.t('{0} runs', runs.length);
  return [
    {
      from: first.from,
      to: runs.reduce((latest, { to }) => Math.max(latest, to), first.to),
      isOpen: last.isOpen,
      state: states.length === 0 ? 'handled' : worstState(states),
      kind: 'work',
      label: failed === 0 ? count : joined([count, l10n.t('{0} failed', failed)], ', '),
      nodeRunKey: null,
      isDimmed: false,
    },
  ];
}

function renderBars(runs: readonly TimedRun[], tree: RunTree): readonly Bar[] {
  if (runs.length <= maximumBars)
    return runs.flatMap((timed) => barsOf(timed, tree.findRun(timed.run.key)?.isSuperseded === true));
  // A power of two, so that a growing loop changes its bars seldom.
  const size = 2 ** Math.ceil(Math.log2(runs.length / maximumBars));
  return Array.from({ length: Math.ceil(runs.length / size) }, (_, index) =>
    mergeRuns(runs.slice(index * size, (index + 1) * size)),
  ).flat();
}

/** How long the node's runs took together; "…" while none has ended. */
function describeLength(runs: readonly TimedRun[]): string {
  const ended = runs.filter(({ isOpen }) => !isOpen);
  const length = ended.reduce((sum, { run, from, to }) => sum + (run.durationMs ?? to - from), 0);
  return ended.length === 0 ? '…' : formatDuration(length);
}

function renderLane(id: string, runs: readonly TimedRun[], whole: number, tree: RunTree): Lane {
  const [first] = runs;
  const name = plainLine(first?.run.nodeName ?? '', 80) || plainLine(id, 80);
  const start = first === undefined ? undefined : `+${formatDuration(first.from - whole)}`;
  const last = runs.at(-1);
  const count = runs.length > 1 ? l10n.t('{0} runs', runs.length) : undefined;
  const word = last === undefined ? undefined : runWord(last.run);
  const origin = last !== undefined && runs.length === 1 ? originWord(last.run) : undefined;
  return {
    id,
    name,
    // What didn't run took no time.
    detail: origin ?? describeLength(runs),
    aloud: joined([word, count, start], ', '),
    bars: renderBars(runs, tree),
  };
}

function renderQueue({ whole, queuedMs }: Timeline): readonly Lane[] {
  if (whole === null || queuedMs === null || queuedMs === 0) return [];
  const name = l10n.t('In the queue');
  const detail = formatDuration(queuedMs);
  const bar: Bar = {
    from: whole.from,
    to: whole.from + queuedMs,
    isOpen: false,
    state: 'queued',
    kind: 'wait',
    label: detail,
    nodeRunKey: null,
    isDimmed: false,
  };
  return [{ id: '', name, detail, aloud: '', bars: [bar] }];
}

/** In the order of the nodes' first starts, after the time in the queue. Skipped nodes took no time, so they have no lane. */
function renderLanes(timeline: Timeline, tree: RunTree): readonly Lane[] {
  const { whole, timed } = timeline;
  if (whole === null) return [];
  const ran = timed.filter(({ run }) => run.status?.state !== 'skipped');
  const byNode = Map.groupBy(ran, ({ run }) => run.nodeId);
  const lanes = [...byNode].map(([id, runs]) => renderLane(id, runs, whole.from, tree));
  return [...renderQueue(timeline), ...lanes];
}
