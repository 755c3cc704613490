// Which welcome view is shown and what the line above the rows says; pure but for the words.
import * as vscode from 'vscode';
import type { Connection } from '../../domain/connection.ts';
import type { ConnectionState } from '../../model/connections/connectionState.ts';
import type { LocalServiceState } from '../../model/localService.ts';
import type { WorkflowFilter } from '../../model/workflows/workflowFilter.ts';
import type { WorkflowsState } from '../../model/workflows/workflows.ts';
import { describeError } from '../../ui/words/describeError.ts';
import { plainLine } from '../../editor/format.ts';
import { secondsUntil } from '../../ui/words/time.ts';

export function isFiltered(filter: WorkflowFilter): boolean {
  return filter.text !== '' || filter.state !== 'all';
}

/** The value of the context key that the welcome views are chosen by. */
export function welcomeState(
  connection: Connection | null,
  state: ConnectionState,
  list: WorkflowsState,
  localService: LocalServiceState,
): string {
  const isLocal = connection?.kind === 'local';
  if (isLocal && localService.kind !== 'running' && state.kind !== 'ready') {
    return localService.kind === 'starting' ? 'loading' : 'localStopped';
  }
  if (state.kind === 'keyRejected' && isLocal) return 'localKeyRejected';
  if (state.kind === 'keyMissing' && isLocal) return 'localKeyRejected';
  if (state.kind !== 'ready') return state.kind;
  if (list.items.length > 0) return 'ready';
  return isFiltered(list.filter) ? 'filtered' : 'empty';
}

function describeFilter(filter: WorkflowFilter): string {
  const state =
    filter.state === 'all'
      ? ''
      : filter.state === 'deployed'
        ? vscode.l10n.t('deployed')
        : vscode.l10n.t('not deployed');
  const text = filter.text === '' ? '' : `“${plainLine(filter.text, 60)}”`;
  return vscode.l10n.t('Filter: {0}', [text, state].filter((word) => word !== '').join(' · '));
}

/** What stands beside the view's title: the connection, and what a welcome view cannot say because its text is fixed. */
export function viewDescription(
  connection: Connection | null,
  state: ConnectionState,
  list: WorkflowsState,
  now: number,
): string {
  const words = connection === null ? [] : [plainLine(connection.name, 80)];
  if (state.kind === 'rateLimited') {
    words.push(
      state.isQuota
        ? vscode.l10n.t('quota used up')
        : vscode.l10n.t('{0} s left', secondsUntil(state.retryAt, now)),
    );
  }
  if (state.kind === 'ready' && list.items.length === 0 && isFiltered(list.filter))
    words.push(describeFilter(list.filter));
  return words.join(' · ');
}

/** The line above the rows; undefined for none. The editor shows a welcome view only where there is no such line. */
export function viewMessage(
  state: ConnectionState,
  list: WorkflowsState,
  isStopped: boolean,
  now: number,
): string | undefined {
  const lines = [
    ...(isFiltered(list.filter) && state.kind === 'ready' && list.items.length > 0
      ? [describeFilter(list.filter)]
      : []),
    ...(state.kind === 'ready' && isStopped
      ? [vscode.l10n.t('The local service is not running. Start it in the Connections view.')]
      : []),
    ...(state.kind === 'ready' && !isStopped && state.staleBecause !== null
      ? [vscode.l10n.t('Not up to date. {0}', describeError(state.staleBecause, now).message)]
      : []),
  ];
  return lines.length === 0 ? undefined : lines.join('\n');
}
