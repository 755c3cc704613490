// The Executions view, its welcome views, and the commands on what it shows.
import type * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../../base/disposable.ts';
import type { LazyTree } from '../../../editor/surfaces/lazySurfaces.ts';
import { createViewFreshness } from '../../../ui/rows/viewFreshness.ts';
import { askNarrowing, askWorkflow, toNarrowing } from './askNarrowing.ts';
import { registerCopying } from '../commands/copying.ts';
import { type ExecutionsElement, ExecutionsTree, maximumRows } from './executionsTree.ts';
import { createViewScope, isNarrowed, type Narrowing, notNarrowed, type ViewScope } from './viewScope.ts';
import { describeNarrowing, viewLines } from './viewState.ts';
import type { App } from '../../../ui/app.ts';
import { workflowName } from '../../../ui/words/names.ts';

export interface ExecutionsViewDeps extends Pick<
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
> {
  readonly executionsView: LazyTree<ExecutionsElement>;
}

/** Keeps the welcome view and the line above the rows true. */
function showState(
  view: vscode.TreeView<ExecutionsElement>,
  tree: ExecutionsTree,
  { scope }: ViewScope,
  { contextKeys, executions, workflows }: ExecutionsViewDeps,
): Disposable {
  const owned = new DisposableStore();
  const show = (): void => {
    const { current } = scope;
    const welcome = tree.welcome();
    contextKeys('executionsState', welcome);
    contextKeys('hasExecutionFilter', current !== null && isNarrowed(current));
    const narrowing =
      current === null
        ? ''
        : describeNarrowing(current, workflowName(workflows, current.connectionId, current.workflowId));
    const { message, description } = viewLines(welcome, narrowing);
    view.message = message;
    view.description = description;
  };
  owned.add(tree.onDidChangeTreeData(show));
  owned.add(
    executions.onDidChange(({ kind }) => {
      if (kind === 'list') show();
    }),
  );
  show();
  return owned;
}

function registerLoading(deps: ExecutionsViewDeps, { scope }: ViewScope): Disposable {
  const { executions, commands } = deps;
  const owned = new DisposableStore();
  const freshness = owned.add(
    createViewFreshness(deps.executionsView.view, {
      clock: deps.clock,
      logger: deps.logger,
      purpose: 'executions',
      changes: [executions.onDidChange],
      refresh: async (signal, purpose) => {
        if (scope.current === null) return;
        // On its own a long list reads its newest page only; a person gets all of it again.
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

export function registerExecutionsView(deps: ExecutionsViewDeps): Disposable {
  const { commands, connections, executions, executionsView } = deps;
  const owned = new DisposableStore();
  const viewScope = owned.add(createViewScope(connections, executions));
  const tree = owned.add(new ExecutionsTree(deps, viewScope.scope));
  owned.add(executionsView.fill(tree));
  owned.add(showState(executionsView.view, tree, viewScope, deps));
  owned.add(registerLoading(deps, viewScope));
  owned.add(registerCopying(deps));
  owned.add(
    commands.register<'executions.filter', Narrowing>('executions.filter', {
      ask: () => {
        const current = viewScope.scope.current ?? notNarrowed;
        return tree.welcome() === 'byWorkflow' ? askWorkflow(deps, current) : askNarrowing(deps, current);
      },
      run: (argument) => {
        viewScope.narrow('filter' in argument ? argument : toNarrowing(argument));
        return Promise.resolve(null);
      },
    }),
  );
  owned.add(
    commands.registerPlain('executions.clearFilter', () => {
      viewScope.narrow(notNarrowed);
      return Promise.resolve();
    }),
  );
  return owned;
}
