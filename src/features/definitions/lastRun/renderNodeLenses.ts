import * as l10n from '@vscode/l10n';
import { type NodeSummary, summarizeNodeRuns } from '../../../model/executions/nodeSummaries.ts';
import { plainLine } from '../../../editor/format.ts';
import { statusIcon, statusWord } from '../../../ui/words/status.ts';
import type { NodePosition } from './nodePositions.ts';
import type { NodeRun } from '../../../domain/nodeRun.ts';
import { formatDuration } from '../../../ui/words/time.ts';

export interface NodeLens {
  readonly nodeId: string;
  readonly offset: number;
  /** The run to open; null if there are several to choose from. */
  readonly nodeRunKey: string | null;
  readonly title: string;
  readonly tooltip: string;
}

/** Sanitizes text for a lens, where "$(name)" would become an icon. */
export function lensText(text: string): string {
  return plainLine(text, 80).replaceAll('$(', '$ (');
}

export function lensIcon(state: NonNullable<NodeRun['status']>['state'], hasWarning: boolean): string {
  return `$(${statusIcon(state, hasWarning).id})`;
}

function stateWord({ status }: NodeRun): string {
  return lensText(statusWord(status?.state ?? 'unknown', status?.word ?? ''));
}

function describeAttempts({ attempts, turns }: NodeSummary): string {
  if (attempts < 2) return '';
  return turns.length === 1 ? l10n.t('attempt {0}', attempts) : l10n.t('up to {0} attempts', attempts);
}

function renderTitle(summary: NodeSummary): string {
  const { worst, turns, durationMs } = summary;
  const words = [
    stateWord(worst),
    turns.length > 1 ? `×${turns.length}` : '',
    durationMs === null ? '' : formatDuration(durationMs),
    describeAttempts(summary),
  ];
  const icon = lensIcon(worst.status?.state ?? 'unknown', worst.status?.hasWarning === true);
  return `${icon} ${words.filter((word) => word !== '').join(' · ')}`;
}

/** "3 turns: 2 completed, 1 failed". */
function countTurns(turns: readonly NodeRun[]): string {
  const counts = new Map<string, number>();
  for (const word of turns.map(stateWord)) counts.set(word, (counts.get(word) ?? 0) + 1);
  const words = [...counts].map(([word, count]) => `${count} ${word}`).join(', ');
  return l10n.t('{0} turns: {1}', turns.length, words);
}

/** One line each: the result, the error, and what a click does. */
function renderTooltip({ runs, turns, worst }: NodeSummary): string {
  const sum = turns.length > 1 ? countTurns(turns) : stateWord(worst);
  const reason = worst.error === null ? '' : plainLine(worst.error.message);
  const action = runs.length > 1 ? l10n.t('Choose a node run to open') : l10n.t('Open the node run');
  return [sum, reason, action].filter((line) => line !== '').join('\n');
}

/** One lens for each node that ran, in text order. */
export function renderNodeLenses(
  nodeRuns: readonly NodeRun[],
  positions: readonly NodePosition[],
): readonly NodeLens[] {
  const summaries = summarizeNodeRuns(nodeRuns);
  return positions.flatMap(({ nodeId, offset }) => {
    const summary = summaries.get(nodeId);
    if (summary === undefined) return [];
    const [run, ...others] = summary.runs;
    const nodeRunKey = run === undefined || others.length > 0 ? null : run.key;
    return [{ nodeId, offset, nodeRunKey, title: renderTitle(summary), tooltip: renderTooltip(summary) }];
  });
}
