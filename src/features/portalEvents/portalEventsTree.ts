import type * as vscode from 'vscode';
import { combine, type Disposable } from '../../base/disposable.ts';
import { ListTree, type ListTreeView, type TreeSource, type ViewFrame } from '../../editor/tree/tree.ts';
import {
  areSameRows,
  clearElement,
  moreElement,
  problemElement,
  type Row,
} from '../../editor/tree/treeElements.ts';
import type { LocalService } from '../../model/localService.ts';
import type { PortalEvents } from '../../model/portalEvents/portalEvents.ts';
import { hasMore, isFiltering, shownEvents } from '../../model/portalEvents/portalEventsState.ts';
import { workflowName } from '../../ui/words/names.ts';
import type { App } from '../../ui/app.ts';
import { eventElement, type EventElement, renderEvent } from './eventRows.ts';
import {
  describeViewFailure,
  type EventsHost,
  portalEventsFrame,
  welcomeState,
} from './portalEventsFrame.ts';

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

  children(parent: EventElement | undefined): readonly Row<EventElement>[] {
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

  #rows(): readonly Row<EventElement>[] {
    const { portalEvents, clock } = this.#deps;
    const { current } = portalEvents.state;
    const { connectionId } = current;
    if (connectionId === null) return [];
    if (welcomeState(current) === 'failed')
      return [problemElement(connectionId, describeViewFailure(current, this.#host(), clock.now()))];
    const rows: Row<EventElement>[] = shownEvents(current).map((event) => eventElement(connectionId, event));
    if (hasMore(current)) rows.push(moreElement('portalEvents.loadMore', connectionId));
    return rows.length > 0 && isFiltering(current.filter)
      ? [clearElement('portalEvents.clearFilter'), ...rows]
      : rows;
  }
}
