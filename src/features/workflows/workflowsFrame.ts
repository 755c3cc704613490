// The frame of the Workflows view: title, message and welcome view.
import * as vscode from 'vscode';
import type { Connection } from '../../domain/connection.ts';
import { plainLine } from '../../editor/format.ts';
import type { ViewFrame } from '../../editor/tree.ts';
import { type ConnectionState, connectionState } from '../../model/connections/connectionState.ts';
import type { LocalServiceState } from '../../model/localService.ts';
import type { WorkflowFilter } from '../../model/workflows/workflowFilter.ts';
import type { WorkflowsState } from '../../model/workflows/workflows.ts';
import { describeError } from '../../ui/words/describeError.ts';
import { secondsUntil } from '../../ui/words/time.ts';

interface Facts {
  readonly connection: Connection | null;
  readonly state: ConnectionState;
  readonly list: WorkflowsState;
  readonly localService: LocalServiceState;
  readonly now: number;
}

function isFiltered(filter: WorkflowFilter): boolean {
  return filter.text !== '' || filter.state !== 'all';
}

function welcomeState({ connection, state, list, localService }: Facts): string {
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

/** The connection, and what a welcome view can't say because its text is fixed. */
function describeView({ connection, state, list, now }: Facts): string {
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

function viewMessage({ connection, state, list, localService, now }: Facts): string {
  if (state.kind !== 'ready') return '';
  const lines: string[] = [];
  if (isFiltered(list.filter) && list.items.length > 0) lines.push(describeFilter(list.filter));
  if (connection?.kind === 'local' && localService.kind === 'stopped')
    lines.push(vscode.l10n.t('The local service is not running. Start it in the Connections view.'));
  else if (state.staleBecause !== null)
    lines.push(vscode.l10n.t('Not up to date. {0}', describeError(state.staleBecause, now).message));
  return lines.join('\n');
}

/** now: epoch milliseconds. */
export function workflowsFrame(
  connection: Connection | null,
  list: WorkflowsState,
  localService: LocalServiceState,
  now: number,
): ViewFrame {
  const state = connectionState(connection, list.hasData, list.error);
  const facts: Facts = { connection, state, list, localService, now };
  return {
    welcome: ['state', welcomeState(facts)],
    contexts: [
      ['cause', state.kind === 'unreachable' ? state.cause : undefined],
      ['hasFilter', isFiltered(list.filter)],
    ],
    message: viewMessage(facts),
    description: describeView(facts),
  };
}
