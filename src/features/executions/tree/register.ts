import { type Disposable, DisposableStore } from '../../../base/disposable.ts';
import { type ListTree, watchAttention } from '../../../editor/tree/tree.ts';
import { SearchCounts } from '../../../model/search/searchCounts.ts';
import type { App } from '../../../ui/app.ts';
import { watchView } from '../../../ui/rows/watchView.ts';
import { registerSearching } from '../search/register.ts';
import { ShownSearch } from '../search/shownSearch.ts';
import { askViewFilter, askWorkflow } from './askFilter.ts';
import { ActiveFilter, noViewFilter, toFilter, type ViewFilter } from './viewFilter.ts';
import { createExecutionsTree, type ExecutionsElement, maximumRows, welcomeOf } from './executionsTree.ts';

type ViewDeps = Pick<
  App,
  | 'commands'
  | 'contextKeys'
  | 'ages'
  | 'clock'
  | 'logger'
  | 'connections'
  | 'services'
  | 'workflows'
  | 'executions'
  | 'following'
  | 'freshExecutions'
  | 'actions'
  | 'requestWaits'
  | 'savedSearches'
  | 'searches'
  | 'views'
>;

function registerLoading(deps: ViewDeps, { scope }: ActiveFilter): Disposable {
  const { executions, commands } = deps;
  const owned = new DisposableStore();
  owned.add(
    commands.registerPlain('executions.refresh', async () => {
      if (scope.current !== null) await executions.refresh(scope.current);
    }),
  );
  owned.add(
    commands.registerPlain('executions.loadMore', async () => {
      const { current } = scope;
      if (current !== null && executions.list(current).items.length < maximumRows)
        await executions.loadMore(current);
    }),
  );
  return owned;
}

/** What's in sight: the list, and the node runs of the executions that are unfolded. */
function watchExecutions(
  { freshExecutions, views }: ViewDeps,
  tree: ListTree<ExecutionsElement>,
  { scope }: ActiveFilter,
): Disposable {
  return watchView(views.executions.view, freshExecutions, () => {
    const { current } = scope;
    if (current === null) return null;
    const unfolded = tree.unfolded.filter((row) => row.kind === 'execution');
    return { connectionId: current.connectionId, showsLatest: false, lists: [current], unfolded };
  });
}

/** A filter, and the connection that was active when it was asked for: another one may be by now. */
interface AskedFilter {
  readonly asked: ViewFilter;
  readonly connectionId: string | undefined;
}

function registerFilter(deps: ViewDeps, activeFilter: ActiveFilter): Disposable {
  const { commands } = deps;
  const owned = new DisposableStore();
  owned.add(
    commands.register<'executions.filter', AskedFilter>('executions.filter', {
      ask: async () => {
        const current = activeFilter.scope.current ?? noViewFilter;
        const connectionId = activeFilter.scope.current?.connectionId;
        const asked =
          welcomeOf(deps, activeFilter) === 'byWorkflow'
            ? await askWorkflow(deps, current)
            : await askViewFilter(deps, connectionId ?? '', current);
        return { asked, connectionId };
      },
      run: (argument) => {
        if ('asked' in argument) activeFilter.set(argument.asked, argument.connectionId);
        else activeFilter.set(toFilter(argument));
        return Promise.resolve(null);
      },
    }),
  );
  owned.add(
    commands.registerPlain('executions.clearFilter', () => {
      activeFilter.set(noViewFilter);
      return Promise.resolve();
    }),
  );
  return owned;
}

export function registerExecutionsView(deps: ViewDeps): Disposable {
  const { connections, executions, views } = deps;
  const owned = new DisposableStore();
  const activeFilter = owned.add(new ActiveFilter(connections, executions));
  const search = owned.add(new ShownSearch(deps));
  const counts = owned.add(new SearchCounts({ ...deps, saved: deps.savedSearches }));
  owned.add(watchAttention(views.executions.view, ({ isFocused }) => counts.setAttended(isFocused)));
  const shown = { shown: search, counts: counts.counts };
  const tree = owned.add(createExecutionsTree(views.executions.view, deps, activeFilter, shown));
  owned.add(views.executions.attach(tree));
  owned.add(registerLoading(deps, activeFilter));
  owned.add(watchExecutions(deps, tree, activeFilter));
  owned.add(registerFilter(deps, activeFilter));
  owned.add(registerSearching(deps, search));
  return owned;
}
