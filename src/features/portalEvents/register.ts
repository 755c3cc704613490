import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { onDidChangeListenMode, settings } from '../../editor/settings.ts';
import { watchAttention } from '../../editor/tree.ts';
import type { App } from '../../ui/app.ts';
import { registerEventCommands } from './eventCommands.ts';
import { attachEventDocuments } from './eventDocuments.ts';
import { registerFilter } from './filterEvents.ts';
import { createPortalEventsTree } from './portalEventsTree.ts';
import { registerSend } from './sendEvent.ts';

export type PortalEventsFeatureDeps = Pick<
  App,
  | 'localService'
  | 'contextKeys'
  | 'eventDocuments'
  | 'commands'
  | 'connections'
  | 'workflows'
  | 'portalEvents'
  | 'clock'
  | 'views'
>;

/** Passes the view's visibility and the listening setting to the model. */
function attend({ portalEvents, localService, views }: PortalEventsFeatureDeps): Disposable {
  const { view } = views.portalEvents;
  const owned = new DisposableStore();
  owned.add(watchAttention(view, (attention) => portalEvents.setAttention(attention)));
  owned.add(onDidChangeListenMode(() => portalEvents.setListenMode(settings.listenMode())));
  // The local service was unreachable until it started, so don't wait for the next retry.
  owned.add(
    localService.state.onDidChange(({ kind }) => {
      const isUnread = !portalEvents.state.current.hasData;
      if (kind === 'running' && isUnread && view.visible) void portalEvents.refresh();
    }),
  );
  portalEvents.setListenMode(settings.listenMode());
  return owned;
}

export function registerPortalEvents(deps: PortalEventsFeatureDeps): Disposable {
  const { commands, portalEvents, views } = deps;
  const owned = new DisposableStore();
  const tree = owned.add(createPortalEventsTree(views.portalEvents.view, deps));
  owned.add(views.portalEvents.attach(tree));
  owned.add(attachEventDocuments(deps.eventDocuments, portalEvents));
  owned.add(attend(deps));
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
