import * as vscode from 'vscode';
import type { FollowState } from '../../model/executions/following.ts';
import { shortId } from '../words/names.ts';
import { offerCommand } from '../../editor/commands.ts';
import { escapeMarkdown, joined, plainLine, tooltip } from '../../editor/format.ts';
import { renderTurn } from '../words/renderLogLine.ts';
import { statusIcon, statusWord } from '../words/status.ts';
import { formatAge, formatDuration } from '../words/time.ts';
import type { NodeRunElement } from './elements.ts';
import type { Execution } from '../../domain/execution.ts';
import type { NodeRun } from '../../domain/nodeRun.ts';

const { None, Collapsed } = vscode.TreeItemCollapsibleState;

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

function isFollowed(state: FollowState | undefined): boolean {
  return state !== undefined && !['ended', 'failed', 'stopped'].includes(state.kind);
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

export function renderNodeRun(element: NodeRunElement, run: NodeRun): vscode.TreeItem {
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
