// The frame of the Portal Events view: title, message, badge and welcome view.
import * as vscode from 'vscode';
import type { ViewFrame } from '../../editor/tree.ts';
import { isServiceError } from '../../domain/errors.ts';
import {
  hasMore,
  isFiltering,
  maximumEvents,
  type PortalEventsState,
  shownEvents,
} from '../../model/portalEvents/portalEventsState.ts';
import { describeError } from '../../ui/words/describeError.ts';
import { joined, plainLine } from '../../editor/format.ts';

type PortalEventsWelcome = 'none' | 'loading' | 'notOffered' | 'failed' | 'empty' | 'filtered' | 'ready';

/** Returns why there is nothing to show, or why the view isn't up to date; undefined without a failure. */
function failureOf({ error, filtered, listening }: PortalEventsState): Error | undefined {
  return error ?? filtered?.error ?? (listening.kind === 'lost' ? listening.error : undefined);
}

export function welcomeState(state: PortalEventsState): PortalEventsWelcome {
  const { connectionId, hasData, isOffered, items, filtered } = state;
  if (connectionId === null) return 'none';
  if (!isOffered) return 'notOffered';
  if (!hasData) return failureOf(state) === undefined ? 'loading' : 'failed';
  if (shownEvents(state).length > 0) return 'ready';
  if (filtered?.status === 'loading') return 'loading';
  if (filtered?.error) return 'failed';
  // "Load More…" is a row as well.
  if (hasMore(state)) return 'ready';
  return items.length === 0 ? 'empty' : 'filtered';
}

/** Describes why the view couldn't be read. */
export function describeViewFailure(state: PortalEventsState, now: number): string {
  const failure = failureOf(state);
  return failure === undefined ? '' : describeError(failure, now).message;
}

/** Says that the service doesn't keep earlier events. */
function describeGap({ gap, items, nextCursor }: PortalEventsState): string | undefined {
  if (gap === null) return undefined;
  const oldest = nextCursor === null ? items.at(-1)?.timestamp : gap.lastKnownAt;
  return oldest
    ? vscode.l10n.t('Events before {0} are gone: the service keeps only the latest.', oldest.toLocaleString())
    : vscode.l10n.t('Earlier events are gone: the service keeps only the latest.');
}

/** workflow: the name of the filter's workflow, sanitized for display. */
function describeFilter({ filter: { type, workflowId } }: PortalEventsState, workflow: string): string {
  return joined([type === null ? '' : plainLine(type, 60), workflowId === null ? '' : workflow], ' · ');
}

function describeListening(state: PortalEventsState, now: number): string | undefined {
  const { listening } = state;
  const error = state.error ?? state.filtered?.error;
  if (error) return vscode.l10n.t('Not up to date. {0}', describeError(error, now).message);
  if (listening.kind === 'lost') {
    return isServiceError(listening.error)
      ? vscode.l10n.t('Connection lost, trying again… {0}', describeError(listening.error, now).message)
      : vscode.l10n.t('Connection lost, trying again…');
  }
  return listening.kind === 'pausedByLimit'
    ? vscode.l10n.t('Paused by the request limit; it goes on by itself.')
    : undefined;
}

/** Empty where a welcome view is needed, because the editor shows no welcome view beside a message. */
function viewMessage(state: PortalEventsState, filter: string, now: number): string {
  const welcome = welcomeState(state);
  if (welcome === 'filtered' || (welcome !== 'ready' && state.gap === null)) return '';
  return joined(
    [
      filter === '' ? undefined : vscode.l10n.t('Filter: {0}. The funnel above clears it.', filter),
      describeGap(state),
      describeListening(state, now),
      state.isTrimmed
        ? vscode.l10n.t('Only the latest {0} events are shown.', maximumEvents.toLocaleString())
        : undefined,
    ],
    '\n',
  );
}

function badge(unread: number): vscode.ViewBadge | undefined {
  if (unread === 0) return undefined;
  const tooltip =
    unread === 1 ? vscode.l10n.t('1 new portal event') : vscode.l10n.t('{0} new portal events', unread);
  return { value: unread, tooltip };
}

/** workflow: the name of the filter's workflow, sanitized for display. now: epoch milliseconds. */
export function portalEventsFrame(
  state: PortalEventsState,
  workflow: string,
  isLocal: boolean,
  now: number,
): ViewFrame {
  const welcome = welcomeState(state);
  const filter = isFiltering(state.filter) ? describeFilter(state, workflow) : '';
  return {
    welcome: ['portalEventsState', welcome],
    contexts: [
      ['hasPortalEventFilter', isFiltering(state.filter)],
      ['isLocal', isLocal],
      ['hasUnreadPortalEvents', state.unread > 0],
    ],
    message: viewMessage(state, filter, now),
    description: welcome === 'filtered' ? filter : '',
    badge: badge(state.unread),
  };
}
