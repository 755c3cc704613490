import * as vscode from 'vscode';
import { combine, type Disposable } from '../../base/disposable.ts';
import { ListTree, type ListTreeView, type TreeSource, type ViewFrame } from '../../editor/tree/tree.ts';
import {
  areSameRows,
  actionElement,
  moreElement,
  problemElement,
  type TreeRow,
} from '../../editor/tree/treeElements.ts';
import type { LocalService, LocalServiceState } from '../../model/localService.ts';
import type { PortalEvents } from '../../model/portalEvents/portalEvents.ts';
import {
  hasMore,
  isFiltering,
  isFull,
  shownEvents,
  isNodeEvent,
  maximumEvents,
  type PortalEventsState,
} from '../../model/portalEvents/portalEventsState.ts';
import { workflowName } from '../../words/names.ts';
import type { App } from '../../ui/app.ts';
import { eventElement, type EventElement, renderEvent } from './eventRows.ts';
import { isServiceError } from '../../domain/errors.ts';
import { describeError } from '../../ui/words/describeError.ts';
import { shortCause } from '../../words/describeServiceError.ts';
import { joined, plainLine } from '../../base/format.ts';
import { formats } from '../../words/formats.ts';

interface PortalEventsTreeDeps extends Pick<
  App,
  'workflows' | 'connections' | 'clock' | 'contextKeys' | 'ages'
> {
  readonly portalEvents: Pick<PortalEvents, 'state'>;
  readonly localService: Pick<LocalService, 'state'>;
}

/** The portal events that pass the filter, newest first. */
export function createPortalEventsTree(
  view: ListTreeView,
  deps: PortalEventsTreeDeps,
): ListTree<EventElement> {
  return new ListTree(view, new PortalEventsSource(deps), deps);
}

class PortalEventsSource implements TreeSource<EventElement> {
  readonly #deps: PortalEventsTreeDeps;

  constructor(deps: PortalEventsTreeDeps) {
    this.#deps = deps;
  }

  children(parent: EventElement | undefined): readonly TreeRow<EventElement>[] {
    if (parent !== undefined) return [];
    const { portalEvents, workflows } = this.#deps;
    const { connectionId, filter } = portalEvents.state.current;
    const rows = this.#rows();
    if (connectionId !== null) {
      const events = rows.flatMap((row) => (row.kind === 'event' ? row.event : []));
      workflows.prefetchNames(
        connectionId,
        [filter, ...events].flatMap(({ workflowId }) => workflowId ?? []),
      );
    }
    return rows;
  }

  render(element: EventElement, now: number): vscode.TreeItem {
    const { connectionId, event } = element;
    const { workflowId } = event;
    const name = workflowId === null ? '' : workflowName(this.#deps.workflows, connectionId, workflowId);
    return renderEvent(element, name, now);
  }

  frame(now: number): ViewFrame {
    const { portalEvents, workflows } = this.#deps;
    const { current } = portalEvents.state;
    const workflow = workflowName(workflows, current.connectionId ?? '', current.filter.workflowId);
    return portalEventsFrame(current, workflow, this.#host(), now);
  }

  watch(tree: ListTree<EventElement>): Disposable {
    const { portalEvents, workflows, connections, localService } = this.#deps;
    let drawn = this.#rows();
    return combine(
      portalEvents.state.onDidChange(() => {
        const rows = this.#rows();
        const isDrawn = areSameRows(rows, drawn);
        drawn = rows;
        if (isDrawn) tree.showFrame();
        else tree.redrawAll();
      }),
      connections.active.onDidChange(() => tree.showFrame()),
      localService.state.onDidChange(() => tree.redrawAll()),
      // The rows and the filter show the names of workflows.
      workflows.onDidChangeItems(() => tree.redrawAll()),
    );
  }

  #host(): EventsHost {
    const { connections, localService } = this.#deps;
    return connections.active.current?.kind === 'local' ? localService.state.current.kind : 'remote';
  }

  #rows(): readonly TreeRow<EventElement>[] {
    const { portalEvents, clock } = this.#deps;
    const { current } = portalEvents.state;
    const { connectionId } = current;
    if (connectionId === null) return [];
    if (welcomeState(current) === 'failed')
      return [problemElement(connectionId, describeViewFailure(current, this.#host(), clock.now()))];
    const rows: TreeRow<EventElement>[] = shownEvents(current).map((event) =>
      eventElement(connectionId, event),
    );
    if (hasMore(current)) rows.push(moreElement('portalEvents.loadMore', connectionId));
    return rows.length > 0 && isFiltering(current.filter)
      ? [actionElement('portalEvents.clearFilter'), ...rows]
      : rows;
  }
}

/** Where the events come from: another machine, or the local service in one of its states. */
type EventsHost = 'remote' | LocalServiceState['kind'];

type PortalEventsWelcome = 'none' | 'loading' | 'notOffered' | 'failed' | 'empty' | 'filtered' | 'ready';

/** Returns why there is nothing to show, or why the view isn't up to date; undefined without a failure. */
function failureOf({ error, filtered, listening }: PortalEventsState): Error | undefined {
  return error ?? filtered?.error ?? (listening.kind === 'lost' ? listening.error : undefined);
}

function welcomeState(state: PortalEventsState): PortalEventsWelcome {
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
function describeViewFailure(state: PortalEventsState, host: EventsHost, now: number): string {
  if (host === 'stopped') return describeStopped();
  const failure = failureOf(state);
  return failure === undefined ? '' : describeError(failure, now).message;
}

/** Says that the service doesn't keep earlier events. */
function describeGap({ gap, items, nextCursor }: PortalEventsState): string | undefined {
  if (gap === null) return undefined;
  const oldest = nextCursor === null ? items.at(-1)?.timestamp : gap.lastKnownAt;
  return oldest
    ? vscode.l10n.t(
        "Events before {0} aren't available: the service keeps only the latest.",
        formats.time(oldest),
      )
    : vscode.l10n.t("Earlier events aren't available: the service keeps only the latest.");
}

/** workflow: the name of the filter's workflow, sanitized for display. */
function describeFilter({ filter: { type, workflowId } }: PortalEventsState, workflow: string): string {
  return joined([type === null ? '' : plainLine(type, 60), workflowId === null ? '' : workflow], ', ');
}

/** In a few words, why the connection was lost. */
function describeLoss(error: Error, now: number): string {
  if (!isServiceError(error)) return vscode.l10n.t('Reconnecting…');
  const { reason } = error;
  return reason.kind === 'unreachable'
    ? vscode.l10n.t('Reconnecting… ({0})', shortCause(reason.cause))
    : vscode.l10n.t('Reconnecting… {0}', describeError(error, now).message);
}

function describeListening(state: PortalEventsState, host: EventsHost, now: number): string | undefined {
  const { listening } = state;
  if (host === 'stopped') return describeStopped();
  if (host === 'starting') return vscode.l10n.t('The local service is starting…');
  const error = state.error ?? state.filtered?.error;
  if (error) return vscode.l10n.t('Out of date. {0}', describeError(error, now).message);
  if (listening.kind === 'lost') return describeLoss(listening.error, now);
  return listening.kind === 'pausedByLimit'
    ? vscode.l10n.t('Paused by the request limit. It continues automatically.')
    : undefined;
}

function describeStopped(): string {
  return vscode.l10n.t("The local service isn't running.");
}

/** Empty where a welcome view is needed, because the editor shows no welcome view beside a message. */
function viewMessage(state: PortalEventsState, filter: string, host: EventsHost, now: number): string {
  const welcome = welcomeState(state);
  if (welcome === 'filtered' || (welcome !== 'ready' && state.gap === null)) return '';
  return joined(
    [
      filter === '' ? undefined : vscode.l10n.t('Showing {0} only', filter),
      describeGap(state),
      describeListening(state, host, now),
      describeTrimmed(state),
    ],
    '\n',
  );
}

function describeTrimmed(state: PortalEventsState): string | undefined {
  const { isTrimmed, isTrimmedOfNodes, filter } = state;
  const maximum = formats.number(maximumEvents);
  if (isTrimmed || isFull(state)) return vscode.l10n.t('Only the latest {0} events are shown.', maximum);
  return isTrimmedOfNodes && filter.hasNodeEvents && filter.type === null
    ? vscode.l10n.t('Only the latest {0} node events are shown.', maximum)
    : undefined;
}

/** Says that events were left out, and only where there are some. */
function describeHidden({ items, filter }: PortalEventsState): string {
  const isHiding = !filter.hasNodeEvents && filter.type === null;
  return isHiding && items.some(isNodeEvent) ? vscode.l10n.t('without node events') : '';
}

function badge(unread: number): vscode.ViewBadge | undefined {
  if (unread === 0) return undefined;
  const tooltip =
    unread === 1 ? vscode.l10n.t('1 new portal event') : vscode.l10n.t('{0} new portal events', unread);
  return { value: unread, tooltip };
}

/** workflow: the name of the filter's workflow, sanitized for display. now: epoch milliseconds. */
function portalEventsFrame(
  state: PortalEventsState,
  workflow: string,
  host: EventsHost,
  now: number,
): ViewFrame {
  const welcome = welcomeState(state);
  const filter = isFiltering(state.filter) ? describeFilter(state, workflow) : '';
  return {
    welcome: ['portalEventsState', welcome],
    contexts: [
      ['hasPortalEventFilter', isFiltering(state.filter)],
      ['isLocal', host !== 'remote'],
      ['hasUnreadPortalEvents', state.unread > 0],
    ],
    message: viewMessage(state, filter, host, now),
    description: joined([welcome === 'filtered' ? filter : '', describeHidden(state)], ' · '),
    badge: badge(state.unread),
  };
}
