// The rows of executions and their node runs, for any view.
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Execution } from '../../domain/execution.ts';
import type { NodeRun } from '../../domain/nodeRun.ts';
import type { ExecutionScope, ExecutionTarget } from '../../domain/targets.ts';
import { offerCommand } from '../../editor/commands.ts';
import { escapeMarkdown, joined, plainLine, tooltip } from '../../editor/format.ts';
import type { ListTree } from '../../editor/tree.ts';
import { noteElement, problemElement, type Row, type RowElement } from '../../editor/treeElements.ts';
import { type FollowState, isFinal } from '../../model/executions/following.ts';
import type { App } from '../app.ts';
import { describeError } from '../words/describeError.ts';
import { shortId } from '../words/names.ts';
import { renderTurn } from '../words/renderLogLine.ts';
import { statusIcon, statusWord } from '../words/status.ts';
import { formatAge, formatDuration } from '../words/time.ts';

const { None, Collapsed } = vscode.TreeItemCollapsibleState;

export interface ExecutionElement extends RowElement {
  readonly kind: 'execution';
  readonly connectionId: string;
  /** null: the service doesn't say. */
  readonly workflowId: string | null;
  readonly executionId: string;
}

export interface NodeRunElement extends RowElement {
  readonly kind: 'nodeRun';
  readonly connectionId: string;
  readonly parent: ExecutionElement;
  readonly executionId: string;
  readonly nodeRunKey: string;
}

function executionKey({ connectionId, executionId }: ExecutionTarget): string {
  return `${connectionId}/execution/${executionId}`;
}

export function executionElement(
  connectionId: string,
  workflowId: string | null,
  executionId: string,
): ExecutionElement {
  const key = executionKey({ connectionId, executionId });
  return { invokedBy: 'person', kind: 'execution', key, connectionId, workflowId, executionId };
}

function nodeRunElement(parent: ExecutionElement, nodeRunKey: string): NodeRunElement {
  const { connectionId, executionId } = parent;
  const key = `${parent.key}/${nodeRunKey}`;
  return { invokedBy: 'person', kind: 'nodeRun', key, connectionId, executionId, parent, nodeRunKey };
}

type ExecutionRowsDeps = Pick<App, 'executions' | 'following' | 'clock'>;

/** Lists the rows below an execution: read when it's expanded, live while it's followed. Empty when cancelled. */
export async function listNodeRuns(
  { executions, following, clock }: ExecutionRowsDeps,
  element: ExecutionElement,
  signal: AbortSignal,
): Promise<readonly Row<NodeRunElement>[]> {
  const { key } = element;
  const isLive = following.isFollowing(element);
  const feed = executions.logs(element);
  const mayHaveMore = feed.rows.length === 0 || executions.find(element)?.status.isTerminal !== true;
  if (!isLive && mayHaveMore) {
    try {
      await executions.readLogs(element, signal);
    } catch (error) {
      if (signal.aborted) return [];
      return [problemElement(key, describeError(error, clock.now()).message)];
    }
  }
  const rows = feed.nodeRuns.map((run) => nodeRunElement(element, run.key));
  if (rows.length > 0) return rows;
  return [
    noteElement(
      key,
      isLive ? vscode.l10n.t('Waiting for the first node…') : vscode.l10n.t('No node has run'),
    ),
  ];
}

/** Redraws executions that changed or whose node runs changed. Calls `onList` for changed lists. */
export function watchExecutions<T extends RowElement>(
  { executions, following }: ExecutionRowsDeps,
  tree: ListTree<T>,
  onList: (scope: ExecutionScope) => void,
): Disposable {
  const owned = new DisposableStore();
  owned.add(
    executions.onDidChange((change) => {
      if (change.kind === 'list') onList(change.scope);
      else if (change.kind === 'nodeRuns') tree.redraw([executionKey(change.target)]);
      else {
        const { connectionId, executionIds } = change;
        tree.redraw(executionIds.map((executionId) => executionKey({ connectionId, executionId })));
      }
    }),
  );
  owned.add(following.onDidChange(({ target }) => tree.redraw([executionKey(target)])));
  return owned;
}

/** Renders a row; undefined if its execution or node run isn't known. nameOwner: returns the owner for renderExecution. */
export function renderExecutionRow(
  { executions, following }: ExecutionRowsDeps,
  element: ExecutionElement | NodeRunElement,
  now: number,
  nameOwner?: (execution: Execution) => string,
): vscode.TreeItem | undefined {
  if (element.kind === 'nodeRun') {
    const run = executions.logs(element).findNodeRun(element.nodeRunKey);
    return run && renderNodeRun(element, run);
  }
  const execution = executions.find(element);
  const follow = following.find(element)?.state.current;
  return execution && renderExecution(execution, follow, now, nameOwner?.(execution));
}

/** Returns undefined while following works, because the state says enough. */
function describeFollowing(state: FollowState | undefined): string | undefined {
  switch (state?.kind) {
    case 'connecting':
      return vscode.l10n.t('connecting…');
    case 'catchingUp':
      return vscode.l10n.t('connection lost, catching up…');
    case 'pausedByLimit':
      return vscode.l10n.t('paused by the request limit');
    case 'failed':
      return vscode.l10n.t('following failed');
    case 'following':
    case 'ended':
    case 'stopped':
    case undefined:
      return undefined;
  }
}

/** owner: the workflow's name, sanitized for display, if the row isn't below its workflow. now: epoch milliseconds. */
export function renderExecution(
  execution: Execution,
  follow: FollowState | undefined,
  now: number,
  owner?: string,
): vscode.TreeItem {
  const { status } = execution;
  const word = statusWord(status.state, plainLine(status.word, 40));
  const id = shortId(execution.id);
  const label = `${owner ?? word} · ${id}`;
  const item = new vscode.TreeItem(owner ?? label, Collapsed);
  const began = execution.startedAt ?? execution.createdAt;
  const duration = execution.durationMs === null ? undefined : formatDuration(execution.durationMs);
  const age = began === null ? undefined : formatAge(began, now);
  item.iconPath = statusIcon(status.state, status.hasWarning);
  const shownWord = owner === undefined ? undefined : word;
  const shownId = owner === undefined ? undefined : id;
  item.description = joined([shownWord, duration, age, describeFollowing(follow), shownId], ' · ');
  item.contextValue = joined(
    ['execution', status.state, follow && !isFinal(follow) ? 'followed' : undefined],
    ',',
  );
  item.tooltip = tooltip(label, [
    shownWord,
    execution.error === null ? undefined : escapeMarkdown(execution.error.message, 2000),
    began === null ? undefined : vscode.l10n.t('Started: {0}', began.toLocaleString()),
    execution.completedAt === null
      ? undefined
      : vscode.l10n.t('Ended: {0}', execution.completedAt.toLocaleString()),
    vscode.l10n.t('Id: {0}', escapeMarkdown(execution.id)),
    status.isTerminal ? undefined : vscode.l10n.t("The service's API can't cancel an execution."),
  ]);
  item.accessibilityInformation = {
    label: joined([owner ?? vscode.l10n.t('Execution'), word, duration, age], ', '),
  };
  return item;
}

function renderNodeRun(element: NodeRunElement, run: NodeRun): vscode.TreeItem {
  const label = plainLine(run.nodeName === '' ? run.nodeId : run.nodeName, 120) + renderTurn(run.iteration);
  const state = run.status?.state ?? 'unknown';
  const word = statusWord(state, plainLine(run.status?.word ?? '', 40));
  const item = new vscode.TreeItem(label, None);
  const attempt = run.attempt > 1 ? vscode.l10n.t('attempt {0}', run.attempt) : undefined;
  const duration = run.durationMs === null ? undefined : formatDuration(run.durationMs);
  const reason = run.error === null ? undefined : plainLine(run.error.message, 120);
  item.iconPath = statusIcon(state, run.status?.hasWarning);
  item.description = joined([duration, attempt, reason], ' · ');
  item.contextValue = `nodeRun,${state}`;
  item.tooltip = tooltip(label, [
    word,
    run.error === null ? undefined : escapeMarkdown(run.error.message, 2000),
    run.nodeType === null ? undefined : vscode.l10n.t('Node type: {0}', escapeMarkdown(run.nodeType)),
    ...run.logs.slice(-5).map((log) => escapeMarkdown(log.message)),
  ]);
  item.accessibilityInformation = { label: joined([label, word, duration, attempt, reason], ', ') };
  item.command = offerCommand('nodeRun.open', element, { title: vscode.l10n.t('Open Node Run') });
  return item;
}
