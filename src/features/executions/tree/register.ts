import { type Disposable, DisposableStore } from '../../../base/disposable.ts';
import type { App } from '../../../ui/app.ts';
import { ViewFreshness } from '../../../ui/rows/viewFreshness.ts';
import { askFilter, askWorkflow } from './askFilter.ts';
import { ActiveFilter, noFilter, toFilter, type ViewFilter } from './viewFilter.ts';
import { createExecutionsTree, maximumRows, welcomeOf } from './executionsTree.ts';

type ViewDeps = Pick<
  App,
  | 'commands'
  | 'contextKeys'
  | 'clock'
  | 'logger'
  | 'connections'
  | 'services'
  | 'workflows'
  | 'executions'
  | 'following'
  | 'views'
>;

function registerLoading(deps: ViewDeps, { scope }: ActiveFilter): Disposable {
  const { executions, commands, clock, logger } = deps;
  const owned = new DisposableStore();
  const freshness = owned.add(
    new ViewFreshness(deps.views.executions.view, {
      clock,
      logger,
      purpose: 'executions',
      changes: [executions.onDidChange],
      refresh: async (signal, purpose) => {
        if (scope.current === null) return;
        // An automatic refresh of a long list reads only its newest page.
        if (purpose === 'asked') await executions.refresh(scope.current, signal);
        else await executions.refreshNewest(scope.current, signal, purpose);
      },
    }),
  );
  owned.add(commands.registerPlain('executions.refresh', () => freshness.refresh()));
  owned.add(
    commands.registerPlain('executions.loadMore', async () => {
      const { current } = scope;
      if (current !== null && executions.list(current).items.length < maximumRows)
        await executions.loadMore(current);
    }),
  );
  return owned;
}

function registerFilter(deps: ViewDeps, activeFilter: ActiveFilter): Disposable {
  const { commands } = deps;
  const owned = new DisposableStore();
  owned.add(
    commands.register<'executions.filter', ViewFilter>('executions.filter', {
      ask: () => {
        const current = activeFilter.scope.current ?? noFilter;
        const { connectionId = '' } = activeFilter.scope.current ?? {};
        return welcomeOf(deps, activeFilter) === 'byWorkflow'
          ? askWorkflow(deps, current)
          : askFilter(deps, connectionId, current);
      },
      run: (argument) => {
        activeFilter.set('filter' in argument ? argument : toFilter(argument));
        return Promise.resolve(null);
      },
    }),
  );
  owned.add(
    commands.registerPlain('executions.clearFilter', () => {
      activeFilter.set(noFilter);
      return Promise.resolve();
    }),
  );
  return owned;
}

export function registerExecutionsView(deps: ViewDeps): Disposable {
  const { connections, executions, views } = deps;
  const owned = new DisposableStore();
  const activeFilter = owned.add(new ActiveFilter(connections, executions));
  const tree = owned.add(createExecutionsTree(views.executions.view, deps, activeFilter));
  owned.add(views.executions.attach(tree));
  owned.add(registerLoading(deps, activeFilter));
  owned.add(registerFilter(deps, activeFilter));
  return owned;
}
