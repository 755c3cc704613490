// The data of the Portal Events view: the events that pass the filter, newest first.
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { hasMore, type PortalEventsState, shownEvents } from '../../model/portalEvents/portalEventsState.ts';
import type { EventElement, MoreElement, PortalEventsElement } from './elements.ts';
import { renderEvent, renderMore, renderNote } from './renderEvent.ts';
import { describeViewFailure, welcomeState } from './viewState.ts';
import type { PortalEvent } from '../../domain/portalEvent.ts';
import type { App } from '../../ui/app.ts';
import { workflowName } from '../../ui/words/names.ts';

export type PortalEventsTreeDeps = Pick<App, 'portalEvents' | 'workflows' | 'clock'>;

/** Ages are read off the clock when a row is drawn. */
const redrawAfterMs = 60_000;

const more: MoreElement = { invokedBy: 'person', kind: 'more' };

/** What the rows depend on; the rest of the state is shown around them. */
function rowsOf(state: PortalEventsState, now: number): readonly unknown[] {
  const { connectionId, items, filter, filtered, isOffered } = state;
  return [
    ...[connectionId, items, filter, filtered?.items, hasMore(state), isOffered],
    ...[welcomeState(state), describeViewFailure(state, now)],
  ];
}

export class PortalEventsTree implements vscode.TreeDataProvider<PortalEventsElement>, Disposable {
  readonly #deps: PortalEventsTreeDeps;
  readonly #owned = new DisposableStore();
  /** The editor finds rows by identity; a reading stays the same object while it is in memory. */
  readonly #elements = new WeakMap<PortalEvent, EventElement>();
  readonly #changes = new vscode.EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.#changes.event;
  #drawn: readonly unknown[] = [];
  #timer: Disposable | undefined;

  constructor(deps: PortalEventsTreeDeps) {
    this.#deps = deps;
    this.#owned.add(this.#changes);
    this.#owned.add(
      deps.portalEvents.state.onDidChange((state) => {
        const rows = rowsOf(state, deps.clock.now());
        if (rows.every((part, at) => part === this.#drawn[at])) return;
        this.#drawn = rows;
        this.redraw();
      }),
    );
    // Rows name their workflow.
    this.#owned.add(deps.workflows.onDidChangeItems(() => this.redraw()));
  }

  redraw(): void {
    this.#changes.fire(undefined);
  }

  /** While somebody looks, ages grow; else no timer runs. */
  setLookedAt(isLookedAt: boolean): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    if (isLookedAt) this.#tick();
  }

  getTreeItem(element: PortalEventsElement): vscode.TreeItem {
    switch (element.kind) {
      case 'event':
        return renderEvent(element, this.#workflowName(element), this.#deps.clock.now());
      case 'more':
        return renderMore(element);
      case 'note':
        return renderNote(element);
    }
  }

  getParent(): undefined {
    return undefined;
  }

  getChildren(element?: PortalEventsElement): PortalEventsElement[] {
    const state = this.#deps.portalEvents.state.current;
    const { connectionId } = state;
    if (element !== undefined || connectionId === null) return [];
    if (welcomeState(state) === 'failed') {
      const text = describeViewFailure(state, this.#deps.clock.now());
      return [{ invokedBy: 'person', kind: 'note', text }];
    }
    const events = shownEvents(state);
    this.#deps.workflows.prefetchNames(
      connectionId,
      [state.filter, ...events].flatMap(({ workflowId }) => workflowId ?? []),
    );
    const rows = events.map((event) => this.#elementOf(connectionId, event));
    return hasMore(state) ? [...rows, more] : rows;
  }

  dispose(): void {
    this.setLookedAt(false);
    this.#owned.dispose();
  }

  #tick(): void {
    this.#timer = this.#deps.clock.schedule(() => {
      this.redraw();
      this.#tick();
    }, redrawAfterMs);
  }

  #elementOf(connectionId: string, event: PortalEvent): EventElement {
    const known = this.#elements.get(event);
    if (known) return known;
    const element: EventElement = {
      invokedBy: 'person',
      kind: 'event',
      connectionId,
      eventId: event.key,
      event,
    };
    this.#elements.set(event, element);
    return element;
  }

  #workflowName({ connectionId, event: { workflowId } }: EventElement): string {
    return workflowId === null ? '' : workflowName(this.#deps.workflows, connectionId, workflowId);
  }
}
