// The frame of the Workflows view: title, message and welcome view. The title counts down the seconds of a rate limit.
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Connection } from '../../domain/connection.ts';
import { joined, plainLine } from '../../base/format.ts';
import type { ListTreeView, ViewFrame } from '../../editor/tree/tree.ts';
import type { LocalServiceState } from '../../model/localService.ts';
import { isFiltered, type WorkflowFilter } from '../../model/workflows/workflowFilter.ts';
import type { WorkflowsState } from '../../model/workflows/workflows.ts';
import type { App } from '../../ui/app.ts';
import { describeError } from '../../ui/words/describeError.ts';
import { secondsUntil } from '../../words/time.ts';
import { isAbortError } from '../../base/async.ts';
import { type KeyFault, keyFaultOf, type ServiceError, type UnreachableCause } from '../../domain/errors.ts';

interface Facts {
  readonly connection: Connection | null;
  readonly state: ConnectionState;
  readonly list: WorkflowsState;
  readonly localService: LocalServiceState;
  readonly now: number;
}

function welcomeState({ connection, state, list, localService }: Facts): string {
  const isLocal = connection?.kind === 'local';
  if (isLocal && localService.kind !== 'running' && state.kind !== 'ready') {
    return localService.kind === 'starting' ? 'localStarting' : 'localStopped';
  }
  if (state.kind === 'keyRejected' && isLocal) return 'localKeyRejected';
  if (state.kind === 'keyMissing' && isLocal) return 'localKeyRejected';
  if (state.kind !== 'ready') return state.kind;
  if (list.items.length > 0) return 'ready';
  return isFiltered(list.filter) ? 'filtered' : 'empty';
}

/** Distinguishes welcome views of one state. */
function causeOf(state: ConnectionState): string | undefined {
  if (state.kind === 'unreachable') return state.cause;
  return state.kind === 'keyRejected' ? state.fault : undefined;
}

function describeFilter(filter: WorkflowFilter): string {
  const state =
    filter.state === 'all'
      ? ''
      : filter.state === 'deployed'
        ? vscode.l10n.t('deployed')
        : vscode.l10n.t('not deployed');
  const text = filter.text === '' ? '' : `"${plainLine(filter.text, 60)}"`;
  return joined([text, state], ', ');
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
  // Trying again doesn't help, so it stands in place of the welcome view.
  if (state.kind === 'failed' && state.error.reason.kind === 'forbidden')
    return describeError(state.error, now).message;
  if (state.kind !== 'ready') return '';
  const lines: string[] = [];
  if (isFiltered(list.filter) && list.items.length > 0)
    lines.push(vscode.l10n.t('Showing {0} only', describeFilter(list.filter)));
  if (connection?.kind === 'local' && localService.kind === 'stopped')
    lines.push(vscode.l10n.t("The local service isn't running. Start it in the Connections view."));
  else if (state.staleBecause !== null)
    lines.push(vscode.l10n.t('Out of date. {0}', describeError(state.staleBecause, now).message));
  return lines.join('\n');
}

type Sources = Pick<App, 'connections' | 'workflows'>;

/** now: epoch milliseconds. */
export function workflowsFrame(
  sources: Sources & { readonly localService: Pick<App['localService'], 'state'> },
  now: number,
): ViewFrame {
  const connection = sources.connections.active.current;
  const list = sources.workflows.state.current;
  const localService = sources.localService.state.current;
  const state = stateOf(sources);
  const facts: Facts = { connection, state, list, localService, now };
  return {
    welcome: ['state', welcomeState(facts)],
    contexts: [
      ['cause', causeOf(state)],
      ['hasFilter', isFiltered(list.filter)],
    ],
    message: viewMessage(facts),
    description: describeView(facts),
  };
}

function stateOf({ connections, workflows }: Sources): ConnectionState {
  const { hasData, error } = workflows.state.current;
  return connectionState(connections.active.current, hasData, error);
}

/** Counts down the seconds of a rate limit in the view's title while the view is visible, and refreshes when they're over. */
export function countDown(
  view: Pick<ListTreeView, 'visible' | 'onDidChangeVisibility'>,
  tree: { readonly showFrame: () => void },
  { connections, workflows, clock, logger }: Pick<App, 'connections' | 'workflows' | 'clock' | 'logger'>,
): Disposable {
  const owned = new DisposableStore();
  let timer: Disposable | undefined;
  const refresh = (): void => {
    workflows.refresh().catch((error: unknown) => {
      if (!isAbortError(error)) logger.error('The workflows could not be read.', error);
    });
  };
  const tick = (): void => {
    tree.showFrame();
    wait();
  };
  const wait = (): void => {
    timer?.dispose();
    timer = undefined;
    const state = stateOf({ connections, workflows });
    if (state.kind !== 'rateLimited' || state.isQuota || !view.visible) return;
    const left = state.retryAt - clock.now();
    timer = left > 0 ? clock.schedule(tick, Math.min(1000, left)) : clock.schedule(refresh, 1);
  };
  owned.add(workflows.state.onDidChange(wait));
  owned.add(connections.active.onDidChange(wait));
  owned.add(view.onDidChangeVisibility(tick));
  owned.add({ dispose: () => timer?.dispose() });
  wait();
  return owned;
}

/** The state of a view's connection. */
type ConnectionState =
  | { readonly kind: 'none' }
  | { readonly kind: 'loading' }
  | { readonly kind: 'keyMissing' }
  | { readonly kind: 'keyRejected'; readonly fault: KeyFault }
  | { readonly kind: 'unreachable'; readonly cause: UnreachableCause }
  | { readonly kind: 'unavailable' }
  /** `retryAt`: epoch milliseconds. */
  | { readonly kind: 'rateLimited'; readonly retryAt: number; readonly isQuota: boolean }
  /** Any other failure with nothing to show. */
  | { readonly kind: 'failed'; readonly error: ServiceError }
  /** There is data to show. `staleBecause`: why the last refresh failed. */
  | { readonly kind: 'ready'; readonly staleBecause: ServiceError | null };

/**
 * Returns the state to show. A missing or rejected key hides existing data; with other failures the data stays visible as stale.
 * `hasData`: a list was read for this connection, even an empty one.
 */
export function connectionState(
  connection: Connection | null,
  hasData: boolean,
  error: ServiceError | null,
): ConnectionState {
  if (connection === null) return { kind: 'none' };
  const reason = error?.reason;
  if (reason?.kind === 'keyMissing') return { kind: 'keyMissing' };
  if (error !== null && reason?.kind === 'keyRejected')
    return { kind: 'keyRejected', fault: keyFaultOf(error) };
  if (hasData) return { kind: 'ready', staleBecause: error };
  if (error === null || reason === undefined) return { kind: 'loading' };
  switch (reason.kind) {
    case 'unreachable':
      return { kind: 'unreachable', cause: reason.cause };
    case 'unavailable':
      return { kind: 'unavailable' };
    case 'rateLimited':
      return { kind: 'rateLimited', retryAt: reason.retryAt, isQuota: reason.isQuota };
    default:
      return { kind: 'failed', error };
  }
}
