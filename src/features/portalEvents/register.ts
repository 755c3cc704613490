import { combine, type Disposable } from '../../base/disposable.ts';
import { onDidChange, settings } from '../../editor/settings.ts';
import { watchAttention } from '../../editor/tree/tree.ts';
import type { App } from '../../ui/app.ts';
import { registerEventCommands, registerSend } from './eventCommands.ts';
import { registerFilter, demandEvents } from './filterEvents.ts';
import { createPortalEventsTree } from './portalEventsTree.ts';

export type PortalEventsFeatureDeps = Pick<
  App,
  | 'localService'
  | 'contextKeys'
  | 'ages'
  | 'eventDocuments'
  | 'commands'
  | 'connections'
  | 'workflows'
  | 'portalEvents'
  | 'services'
  | 'clock'
  | 'requestWaits'
  | 'views'
>;

/** Passes the view's visibility and the listening setting to the model. */
function attend({ portalEvents, localService, views }: PortalEventsFeatureDeps): Disposable {
  const { view } = views.portalEvents;
  const watching = combine(
    watchAttention(view, (attention) => portalEvents.setAttention(attention)),
    onDidChange(settings.listenMode, (mode) => portalEvents.setListenMode(mode)),
    // The local service was unreachable until it started, so don't wait for the next retry.
    localService.state.onDidChange(({ kind }) => {
      const { hasData, listening } = portalEvents.state.current;
      if (kind === 'running' && (!hasData || listening.kind === 'lost') && view.visible)
        void portalEvents.refresh();
    }),
  );
  portalEvents.setListenMode(settings.listenMode());
  return watching;
}

export function registerPortalEvents(deps: PortalEventsFeatureDeps): Disposable {
  const { commands, portalEvents, views } = deps;
  const tree = createPortalEventsTree(views.portalEvents.view, deps);
  return combine(
    tree,
    views.portalEvents.attach(tree),
    attend(deps),
    registerEventCommands(deps),
    registerFilter(deps),
    registerSend(deps),
    ...(['refresh', 'loadMore', 'markAllRead'] as const).map((name) =>
      commands.registerPlain(`portalEvents.${name}`, async () => {
        demandEvents(deps);
        await portalEvents[name]();
        return undefined;
      }),
    ),
  );
}
