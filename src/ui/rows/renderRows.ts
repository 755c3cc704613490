// How the rows look that more than one view shows: shape and words for the state, age and duration beside it.
import * as vscode from 'vscode';
import type { Executions } from '../../model/executions/executions.ts';
import type { FollowState } from '../../model/executions/following.ts';
import { offerCommand } from '../../editor/commands.ts';
import { escapeMarkdown, plainLine } from '../../editor/format.ts';
import { renderTurn } from '../words/renderLogLine.ts';
import { statusIcon, statusWord } from '../words/status.ts';
import type { ExecutionElement, MoreElement, NodeRunElement, NoteElement } from './elements.ts';
import type { Execution } from '../../domain/execution.ts';
import type { NodeRun } from '../../domain/nodeRun.ts';
import { shortId } from '../words/names.ts';
import { formatAge, formatDuration } from '../words/time.ts';

const { None, Collapsed } = vscode.TreeItemCollapsibleState;

/** Untrusted Markdown: a title from outside, then what is known, a paragraph each. */
export function tooltip(title: string, rows: readonly (string | undefined)[]): vscode.MarkdownString {
  const shown = rows.filter((row) => row !== undefined && row !== '');
  return new vscode.MarkdownString([`**${escapeMarkdown(title)}**`, ...shown].join('\n\n'));
}

/** The words that there are, with a separator between them. */
export function joined(words: readonly (string | undefined)[], separator: string): string {
  return words.filter((word) => word !== undefined && word !== '').join(separator);
}

/** What is worth saying about following beside the state; nothing while it simply goes on. */
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

function isFollowed(state: FollowState | undefined): boolean {
  return state !== undefined && !['ended', 'failed', 'stopped'].includes(state.kind);
}

/** owner: the workflow's name, already fit for the screen, where the row does not stand below its workflow. */
export function renderExecution(
  element: ExecutionElement,
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
  item.id = element.key;
  item.iconPath = statusIcon(status.state, status.hasWarning);
  const shownWord = owner === undefined ? undefined : word;
  const shownId = owner === undefined ? undefined : id;
  item.description = joined([shownWord, duration, age, describeFollowing(follow), shownId], ' · ');
  item.contextValue = joined(['execution', status.state, isFollowed(follow) ? 'followed' : undefined], ',');
  item.tooltip = tooltip(label, [
    shownWord,
    execution.error === null ? undefined : escapeMarkdown(execution.error.message, 2000),
    began === null ? undefined : vscode.l10n.t('Started: {0}', began.toLocaleString()),
    execution.completedAt === null
      ? undefined
      : vscode.l10n.t('Ended: {0}', execution.completedAt.toLocaleString()),
    vscode.l10n.t('Id: {0}', escapeMarkdown(execution.id)),
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
  item.id = element.key;
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

/** The commands that read the next page of a view. */
type LoadMoreCommand = 'workflows.loadMore' | 'executions.loadMore';

function renderMore(element: MoreElement, command: LoadMoreCommand): vscode.TreeItem {
  const item = new vscode.TreeItem(vscode.l10n.t('Load More…'));
  item.id = element.key;
  item.iconPath = new vscode.ThemeIcon('ellipsis');
  item.command = offerCommand(command, element, { title: vscode.l10n.t('Load More…') });
  return item;
}

function renderNote(element: NoteElement): vscode.TreeItem {
  const item = new vscode.TreeItem('');
  item.id = element.key;
  item.description = element.text;
  item.tooltip = element.text;
  if (element.isProblem)
    item.iconPath = new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'));
  item.accessibilityInformation = { label: element.text };
  return item;
}

/** A row that looks the same in every view. loadMore: what reads the next page of the view. */
export function renderSharedRow(
  element: NodeRunElement | MoreElement | NoteElement,
  executions: Executions,
  loadMore: LoadMoreCommand,
): vscode.TreeItem {
  switch (element.kind) {
    case 'nodeRun': {
      const runs = executions.logs(element).nodeRuns.current;
      const run = runs.find(({ key }) => key === element.nodeRunKey);
      return run === undefined ? goneItem(element) : renderNodeRun(element, run);
    }
    case 'more':
      return renderMore(element, loadMore);
    case 'note':
      return renderNote(element);
  }
}

/** A row that went while it was being drawn; the next redraw of its parent takes it away. */
export function goneItem(element: { readonly key: string }): vscode.TreeItem {
  const item = new vscode.TreeItem('');
  item.id = element.key;
  return item;
}
