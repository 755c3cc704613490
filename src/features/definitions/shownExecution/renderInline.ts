// What an execution says within its definition: at the end of each node's line, and which nodes it didn't reach. Pure.
import * as l10n from '@vscode/l10n';
import type { Range } from '../../../definition/range.ts';
import { hasFailed, type NodeRun } from '../../../domain/nodeRun.ts';
import type { RunState } from '../../../domain/status.ts';
import { joined, plainLine } from '../../../base/format.ts';
import type { ShownExecution } from '../../../model/selection/shownExecution.ts';
import { describeState, errorOfRun } from '../../../words/nodeState.ts';
import { reasonOfSkip, isBareState } from '../../../words/renderLogLine.ts';
import type { NodeChange } from '../../../ui/changedNodes.ts';
import type { DrawnExecution } from './drawnExecutions.ts';

/** What is known of an execution on a text. */
export type InlineFacts = Pick<DrawnExecution, 'shown' | 'positions' | 'nodes' | 'changes'>;

export interface LineEnd {
  readonly nodeId: string;
  /** Where the node's label ends. */
  readonly offset: number;
  readonly text: string;
  readonly hasFailed: boolean;
}

/** Characters that every monospaced font has, so that the state doesn't depend on color. */
const marks: Readonly<Record<RunState, string>> = {
  queued: '○',
  running: '▸',
  waiting: '…',
  completed: '✓',
  failed: '✗',
  cancelled: '■',
  skipped: '»',
  unknown: '?',
};

const maximumText = 100;
/** How many rows are looked at for one that says more than a state. */
const maximumRows = 5;

/** One text for each node of which there is something to say, in text order. */
export function renderLineEnds(facts: InlineFacts): readonly LineEnd[] {
  const reportsNodes = tellsAllNodes(facts);
  return facts.positions.flatMap(({ id: nodeId, label }) => {
    const text = renderLineEnd(facts, nodeId, reportsNodes);
    if (text === undefined) return [];
    const isReplaced = facts.changes.get(nodeId) === 'replaced';
    const run = isReplaced ? undefined : facts.nodes.get(nodeId)?.run;
    return [
      { nodeId, offset: label.offset + label.length, text, hasFailed: run !== undefined && hasFailed(run) },
    ];
  });
}

function renderLineEnd(
  { shown, nodes, changes }: InlineFacts,
  nodeId: string,
  reportsNodes: boolean,
): string | undefined {
  if (shown.kind !== 'execution') return undefined;
  const node = nodes.get(nodeId);
  const change = changes.get(nodeId);
  if (node?.run !== undefined) {
    if (change === 'replaced') return changeWords(change);
    return isStillRead(shown, node.run) ? undefined : renderRun(node.run, change);
  }
  if (change === 'added') return changeWords(change);
  if (!reportsNodes || shown.execution.error?.nodeId === nodeId) return undefined;
  const words = node === undefined ? l10n.t('not reached') : l10n.t('not reached in this iteration');
  return joined([`${marks.skipped} ${words}`, changeWords(change)], ' · ');
}

/** True where later rows of a long log, which are still read, say how the run ended. */
function isStillRead(
  { execution, isWhole }: Extract<ShownExecution, { kind: 'execution' }>,
  { status }: NodeRun,
): boolean {
  return execution.status.isTerminal && !isWhole && status?.isTerminal === false;
}

function renderRun(run: NodeRun, change: NodeChange | undefined): string {
  const words = [markedState(run), changeWords(change), lastLine(run)];
  return plainLine(joined(words, ' · '), maximumText);
}

/** "✓ completed · 989 ms". */
export function markedState(run: NodeRun): string {
  const { status } = run;
  const mark = run.isHandled || status?.hasWarning === true ? '!' : marks[status?.state ?? 'unknown'];
  return `${mark} ${describeState(run)}`;
}

export function changeWords(change: NodeChange | undefined): string | undefined {
  switch (change) {
    case 'changed':
      return l10n.t('changed since this execution');
    case 'added':
      return l10n.t('added since this execution');
    case 'replaced':
      return l10n.t('had a different type in this execution');
    case undefined:
      return undefined;
  }
}

/** The run's error, or else the last of its log lines that says more than the state; undefined if the latest ones don't. */
function lastLine(run: NodeRun): string | undefined {
  if (run.error !== null) return errorOfRun(run, maximumText);
  const row = run.logs.slice(-maximumRows).findLast((log) => log.message !== '' && !isBareState(log));
  return row && plainLine(reasonOfSkip(row) ?? row.message, maximumText);
}

/**
 * The objects of the nodes that the execution didn't reach, in the selected iteration: it has ended, and they were skipped or have no run.
 * Nodes that didn't exist then, or had another type, aren't among them.
 */
export function findUnreached(facts: InlineFacts): readonly Range[] {
  const { shown, positions, nodes, changes } = facts;
  if (shown.kind !== 'execution' || !shown.execution.status.isTerminal) return [];
  const reportsNodes = tellsAllNodes(facts);
  return positions.filter(({ id: nodeId }) => {
    const run = nodes.get(nodeId)?.run;
    if (run !== undefined) return run.status?.state === 'skipped' && changes.get(nodeId) !== 'replaced';
    return reportsNodes && changes.get(nodeId) !== 'added' && shown.execution.error?.nodeId !== nodeId;
  });
}

/**
 * True if a node without a run wasn't reached. A service that only has lines of text doesn't say which nodes ran, and of a node that was
 * executed alone the others had run before.
 */
function tellsAllNodes({ shown }: Pick<InlineFacts, 'shown'>): boolean {
  if (shown.kind !== 'execution' || !shown.isWhole || shown.execution.basedOn !== null) return false;
  const { nodeRuns } = shown;
  return nodeRuns.length > 0 && nodeRuns.every(({ status }) => status !== null);
}
