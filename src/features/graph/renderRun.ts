// What the page shows of an execution: above the graph, on its nodes and edges, and in the timeline. Pure.
import * as l10n from '@vscode/l10n';
import type { NodeLog } from '../../domain/nodeLog.ts';
import { joined } from '../../editor/format.ts';
import type { ShownExecution } from '../../model/selection/shownExecution.ts';
import type { RanNodes } from '../../model/workflows/ranDefinitions.ts';
import { measureTimeline, type Timeline } from '../../model/runs/timeline.ts';
import { executionWord, isRetryable, nameShown, retryWords } from '../../ui/words/executionWords.ts';
import { formatDuration } from '../../ui/words/time.ts';
import type { GraphEdge, PageTexts, RunHead } from '../../webview/graph/messages.ts';
import type { WorkflowGraph } from './readGraph.ts';
import type { ShownRun } from './runDifference.ts';
import { markDifferent, renderEdge, renderNode, type Summaries } from './renderNodes.ts';
import { renderLanes } from './renderLanes.ts';

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

const noRetry = { canRetry: false, canRetryFromNode: false };

function renderHead(
  shown: ShownExecution,
  timeline: Timeline | undefined,
  { offersRetry = false, offersRetryFromNode = false }: PageContext,
): RunHead {
  if (shown.kind !== 'execution') {
    const text = shown.kind === 'none' ? l10n.t('Not executed yet') : '';
    return { state: null, text, isLatest: true, scale: null, isLive: false, canDebug: false, ...noRetry };
  }
  const { execution, isLatest } = shown;
  const { status, durationMs } = execution;
  const name = nameShown(execution, isLatest);
  const duration = durationMs === null ? undefined : formatDuration(durationMs);
  return {
    state: status.state,
    text: joined([name, executionWord(execution), duration, retryWords(execution)], ' · '),
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
