// Why: which welcome view is shown and what the line above the rows says; pure but for the words.
import * as vscode from 'vscode';
import type { ConnectionRecord } from '../../model/connections/connectionRecord.ts';
import type { ConnectionState } from '../../model/connections/connectionState.ts';
import type { LocalServiceState } from '../../model/localService.ts';
import type { WorkflowFilter } from '../../model/workflows/workflowFilter.ts';
import type { WorkflowsState } from '../../model/workflows/workflows.ts';
import { describeError, secondsUntil } from '../../platform/describeError.ts';
import { plainLine } from '../../platform/format.ts';

export function isFiltered(filter: WorkflowFilter): boolean {
  return filter.text !== '' || filter.state !== 'all';
}

/** The value of the context key that the welcome views are chosen by. */
export function welcomeState(
  connection: ConnectionRecord | null,
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

/** The line above the rows; undefined for none. */
export function viewMessage(
  state: ConnectionState,
  filter: WorkflowFilter,
  isStopped: boolean,
  now: number,
): string | undefined {
  if (state.kind === 'rateLimited') {
    return state.isQuota
      ? vscode.l10n.t('The quota of this API key is used up.')
      : vscode.l10n.t('Request limit reached: {0} s left.', secondsUntil(state.retryAt, now));
  }
  const lines = [
    ...(isFiltered(filter) && state.kind === 'ready' ? [describeFilter(filter)] : []),
    ...(state.kind === 'ready' && isStopped
      ? [vscode.l10n.t('The local service is not running. Start it in the Connections view.')]
      : []),
    ...(state.kind === 'ready' && !isStopped && state.staleBecause !== null
      ? [vscode.l10n.t('Not up to date. {0}', describeError(state.staleBecause, now).message)]
      : []),
  ];
  return lines.length === 0 ? undefined : lines.join('\n');
}
