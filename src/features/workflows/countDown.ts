import { isAbortError } from '../../base/async.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { ListTree, ListTreeView } from '../../editor/tree.ts';
import { connectionState } from '../../model/connections/connectionState.ts';
import type { App } from '../../ui/app.ts';
import type { WorkflowsElement } from './elements.ts';

/** Counts down the seconds of a rate limit in the view's title while the view is visible, and refreshes when they're over. */
export function countDown(
  view: Pick<ListTreeView, 'visible' | 'onDidChangeVisibility'>,
  tree: ListTree<WorkflowsElement>,
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
    const { hasData, error } = workflows.state.current;
    const state = connectionState(connections.active.current, hasData, error);
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
