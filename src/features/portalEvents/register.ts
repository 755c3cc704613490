// The Portal Events view: live while somebody looks, a badge for what came meanwhile, and the commands on it.
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { isFiltering } from '../../model/portalEvents/portalEventsState.ts';
import type { LazyTree } from '../../editor/surfaces/lazySurfaces.ts';
import { onDidChangeListenMode, settings } from '../../editor/settings.ts';
import type { PortalEventsElement } from './elements.ts';
import { registerEventCommands } from './eventCommands.ts';
import { fillEventDocuments } from './eventDocuments.ts';
import { registerFilter } from './filterEvents.ts';
import { PortalEventsTree } from './portalEventsTree.ts';
import { registerSend } from './sendEvent.ts';
import { badge, viewLines, welcomeState } from './viewState.ts';
import type { App } from '../../ui/app.ts';
import { workflowName } from '../../ui/words/names.ts';

export interface PortalEventsFeatureDeps extends Pick<
  App,
  | 'localService'
  | 'contextKeys'
  | 'eventDocuments'
  | 'commands'
  | 'connections'
  | 'workflows'
  | 'portalEvents'
  | 'clock'
> {
  readonly portalEventsView: LazyTree<PortalEventsElement>;
}

/** Keeps the welcome view, the lines around the rows and the badge true. */
function showState(deps: PortalEventsFeatureDeps): Disposable {
  const { portalEvents, workflows, connections, contextKeys, clock } = deps;
  const { view } = deps.portalEventsView;
  const owned = new DisposableStore();
  const show = (): void => {
    const state = portalEvents.state.current;
    const { connectionId, filter } = state;
    const workflow = workflowName(workflows, connectionId ?? '', filter.workflowId);
    const { message, description } = viewLines(state, workflow, clock.now());
    contextKeys('portalEventsState', welcomeState(state));
    contextKeys('hasPortalEventFilter', isFiltering(filter));
    contextKeys('isLocal', connections.active.current?.kind === 'local');
    view.message = message;
    view.description = description;
    view.badge = badge(state.unread);
  };
  owned.add(portalEvents.state.onDidChange(show));
  owned.add(connections.active.onDidChange(show));
  // The filter names its workflow.
  owned.add(workflows.onDidChangeItems(show));
  show();
  return owned;
}

/** Tells the model who looks, and what the setting wants. */
function attend(deps: PortalEventsFeatureDeps, tree: PortalEventsTree): Disposable {
  const { portalEvents, localService } = deps;
  const { view } = deps.portalEventsView;
  const owned = new DisposableStore();
  const look = (): void => {
    const isFocused = vscode.window.state.focused;
    portalEvents.setAttention({ isVisible: view.visible, isFocused });
    tree.setLookedAt(view.visible && isFocused);
  };
  owned.add(view.onDidChangeVisibility(look));
  owned.add(vscode.window.onDidChangeWindowState(look));
  owned.add(onDidChangeListenMode(() => portalEvents.setListenMode(settings.listenMode())));
  // It was unreachable before, however long the wait for the next try is.
  owned.add(
    localService.state.onDidChange(({ kind }) => {
      const isUnread = !portalEvents.state.current.hasData;
      if (kind === 'running' && isUnread && view.visible) void portalEvents.refresh();
    }),
  );
  portalEvents.setListenMode(settings.listenMode());
  look();
  return owned;
}

export function registerPortalEvents(deps: PortalEventsFeatureDeps): Disposable {
  const { commands, portalEvents } = deps;
  const owned = new DisposableStore();
  const tree = owned.add(new PortalEventsTree(deps));
  owned.add(deps.portalEventsView.fill(tree));
  owned.add(fillEventDocuments(deps.eventDocuments, portalEvents));
  owned.add(showState(deps));
  owned.add(attend(deps, tree));
  owned.add(registerEventCommands(deps));
  owned.add(registerFilter(deps));
  owned.add(registerSend(deps));
  owned.add(commands.registerPlain('portalEvents.refresh', () => portalEvents.refresh()));
  owned.add(commands.registerPlain('portalEvents.loadMore', () => portalEvents.loadMore()));
  owned.add(
    commands.registerPlain('portalEvents.markAllRead', () => {
      portalEvents.markAllRead();
      return Promise.resolve();
    }),
  );
  return owned;
}
