// Why: how each row of the Workflows view looks: shape and words for the state, age and duration beside it.
import * as vscode from 'vscode';
import type { ExecutionReading, WorkflowReading } from '../../api/readings.ts';
import type { FollowState } from '../../model/executions/following.ts';
import type { NodeRun } from '../../model/executions/nodeRuns.ts';
import { describeDeployment } from '../../pickers/workflowPicker.ts';
import { shortId } from '../../pickers/executionPicker.ts';
import { commandId } from '../../platform/ids.ts';
import { escapeMarkdown, formatAge, formatDuration, plainLine } from '../../platform/format.ts';
import { statusIcon, statusWord } from '../../platform/statusIcon.ts';
import type {
  ExecutionElement,
  MoreElement,
  NodeRunElement,
  NoteElement,
  WorkflowElement,
} from './elements.ts';

const { None, Collapsed } = vscode.TreeItemCollapsibleState;

function tooltip(title: string, rows: readonly (string | undefined)[]): vscode.MarkdownString {
  const shown = rows.filter((row) => row !== undefined && row !== '');
  return new vscode.MarkdownString([`**${escapeMarkdown(title)}**`, ...shown].join('\n\n'));
}

function joined(words: readonly (string | undefined)[], separator: string): string {
  return words.filter((word) => word !== undefined && word !== '').join(separator);
}

function deploymentIcon(isDeployed: boolean | null): vscode.ThemeIcon {
  if (isDeployed === null) return new vscode.ThemeIcon('circle-outline');
  return isDeployed
    ? new vscode.ThemeIcon('rocket', new vscode.ThemeColor('testing.iconPassed'))
    : new vscode.ThemeIcon('circle-large-outline', new vscode.ThemeColor('testing.iconUnset'));
}

export function renderWorkflow(
  element: WorkflowElement,
  workflow: WorkflowReading,
  now: number,
): vscode.TreeItem {
  const name = plainLine(workflow.name, 120);
  const item = new vscode.TreeItem(name, Collapsed);
  const state = describeDeployment(workflow.isDeployed);
  const changed = workflow.updatedAt === null ? undefined : formatAge(workflow.updatedAt, now);
  item.id = element.key;
  item.iconPath = deploymentIcon(workflow.isDeployed);
  item.description = joined([workflow.isDeployed === false ? state : undefined, changed], ' · ');
  item.contextValue = joined(
    ['workflow', workflow.isDeployed === null ? undefined : workflow.isDeployed ? 'deployed' : 'notDeployed'],
    ',',
  );
  item.tooltip = tooltip(workflow.name, [
    escapeMarkdown(workflow.description ?? '', 2000),
    state,
    workflow.deployedAt === null
      ? undefined
      : vscode.l10n.t('Deployed: {0}', workflow.deployedAt.toLocaleString()),
    workflow.updatedAt === null
      ? undefined
      : vscode.l10n.t('Changed: {0}', workflow.updatedAt.toLocaleString()),
    vscode.l10n.t('Id: {0}', escapeMarkdown(workflow.id)),
  ]);
  item.accessibilityInformation = { label: joined([name, state, changed], ', ') };
  return item;
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

export function renderExecution(
  element: ExecutionElement,
  execution: ExecutionReading,
  follow: FollowState | undefined,
  now: number,
): vscode.TreeItem {
  const { status } = execution;
  const word = statusWord(status.state, plainLine(status.word, 40));
  const label = `${word} · ${shortId(execution.id)}`;
  const item = new vscode.TreeItem(label, Collapsed);
  const began = execution.startedAt ?? execution.createdAt;
  const duration = execution.durationMs === null ? undefined : formatDuration(execution.durationMs);
  const age = began === null ? undefined : formatAge(began, now);
  item.id = element.key;
  item.iconPath = statusIcon(status.state, status.hasWarning);
  item.description = joined([duration, age, describeFollowing(follow)], ' · ');
  item.contextValue = joined(['execution', status.state, isFollowed(follow) ? 'followed' : undefined], ',');
  item.tooltip = tooltip(label, [
    execution.error === null ? undefined : escapeMarkdown(execution.error.message, 2000),
    began === null ? undefined : vscode.l10n.t('Started: {0}', began.toLocaleString()),
    execution.completedAt === null
      ? undefined
      : vscode.l10n.t('Ended: {0}', execution.completedAt.toLocaleString()),
    vscode.l10n.t('Id: {0}', escapeMarkdown(execution.id)),
  ]);
  item.accessibilityInformation = { label: joined([vscode.l10n.t('Execution'), word, duration, age], ', ') };
  return item;
}

export function renderNodeRun(element: NodeRunElement, run: NodeRun): vscode.TreeItem {
  const turn = run.iteration.map((index) => ` [${index + 1}]`).join('');
  const label = plainLine(run.nodeName === '' ? run.nodeId : run.nodeName, 120) + turn;
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
  item.command = {
    command: commandId('nodeRun.open'),
    title: vscode.l10n.t('Open Node Run'),
    arguments: [element],
  };
  return item;
}

export function renderMore(element: MoreElement): vscode.TreeItem {
  const item = new vscode.TreeItem(vscode.l10n.t('Load More…'));
  item.id = element.key;
  item.iconPath = new vscode.ThemeIcon('ellipsis');
  item.command = {
    command: commandId('workflows.loadMore'),
    title: vscode.l10n.t('Load More…'),
    arguments: [element],
  };
  return item;
}

export function renderNote(element: NoteElement): vscode.TreeItem {
  const item = new vscode.TreeItem('');
  item.id = element.key;
  item.description = element.text;
  item.tooltip = element.text;
  if (element.isProblem)
    item.iconPath = new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'));
  item.accessibilityInformation = { label: element.text };
  return item;
}
