// The Workflows view, its welcome views, and the commands on what it shows.
import * as vscode from 'vscode';
import { isAbortError } from '../../base/cancellation.ts';
import { combine, type Disposable, DisposableStore } from '../../base/disposable.ts';
import { connectionState } from '../../model/connections/connectionState.ts';
import { noFilter, type WorkflowFilter } from '../../model/workflows/workflowFilter.ts';
import type { LazyTree } from '../../editor/surfaces/lazySurfaces.ts';
import { askText, choose } from '../../editor/prompts.ts';
import type { TreeElement } from './elements.ts';
import { type ImportExportDeps, registerImportExport } from './importExport/register.ts';
import { revealFollowed } from './revealFollowed.ts';
import { isFiltered, viewDescription, viewMessage, welcomeState } from './viewState.ts';
import { registerWorkflowCommands } from './workflowCommands.ts';
import { createWorkflowsFreshness } from './workflowsFreshness.ts';
import { WorkflowsTree } from './workflowsTree.ts';
import type { App } from '../../ui/app.ts';

export interface WorkflowsDeps
  extends
    Pick<
      App,
      | 'executions'
      | 'following'
      | 'localService'
      | 'contextKeys'
      | 'clock'
      | 'logger'
      | 'commands'
      | 'connections'
      | 'workflows'
      | 'actions'
    >,
    ImportExportDeps {
  readonly workflowsView: LazyTree<TreeElement>;
}

function askFilter(current: WorkflowFilter): Promise<WorkflowFilter> {
  return choose<() => Promise<WorkflowFilter>>(vscode.l10n.t('Show which workflows?'), [
    {
      icon: 'search',
      label: vscode.l10n.t('By name…'),
      value: async () => ({
        ...current,
        text: await askText({ prompt: vscode.l10n.t('Part of the name'), value: current.text }),
      }),
    },
    {
      icon: 'rocket',
      label: vscode.l10n.t('Deployed'),
      value: () => Promise.resolve({ ...current, state: 'deployed' }),
    },
    {
      icon: 'circle-large-outline',
      label: vscode.l10n.t('Not deployed'),
      value: () => Promise.resolve({ ...current, state: 'notDeployed' }),
    },
    { icon: 'clear-all', label: vscode.l10n.t('All'), value: () => Promise.resolve(noFilter) },
  ]).then((next) => next());
}

/** Keeps the welcome view and the line above the rows true; counts the seconds of a limit down while it is seen. */
function showState(view: vscode.TreeView<TreeElement>, tree: WorkflowsTree, deps: WorkflowsDeps): Disposable {
  const { connections, workflows, localService, contextKeys, clock } = deps;
  const owned = new DisposableStore();
  let countdown: Disposable | undefined;
  let shown = '';
  const show = (): void => {
    const list = workflows.state.current;
    const connection = connections.active.current;
    const state = connectionState(connection, list.hasData, list.error);
    const isStopped = connection?.kind === 'local' && localService.state.current.kind === 'stopped';
    const welcome = welcomeState(connection, state, list, localService.state.current);
    contextKeys('state', welcome);
    contextKeys('cause', state.kind === 'unreachable' ? state.cause : undefined);
    contextKeys('hasFilter', isFiltered(list.filter));
    view.message = viewMessage(state, list, isStopped, clock.now()) ?? '';
    view.description = viewDescription(connection, state, list, clock.now());
    if (welcome !== shown) tree.redrawAll();
    shown = welcome;
    countdown?.dispose();
    countdown = undefined;
    if (state.kind !== 'rateLimited' || state.isQuota || !view.visible) return;
    const left = state.retryAt - clock.now();
    countdown = clock.schedule(
      left > 0 ? show : () => void refreshQuietly(),
      Math.min(1000, Math.max(left, 1)),
    );
  };
  const refreshQuietly = (): Promise<void> =>
    workflows.refresh().catch((error: unknown) => {
      if (!isAbortError(error)) deps.logger.error('The workflows could not be read.', error);
    });
  owned.add(workflows.state.onDidChange(show));
  owned.add(connections.active.onDidChange(show));
  owned.add(localService.state.onDidChange(show));
  owned.add(view.onDidChangeVisibility(show));
  owned.add({ dispose: () => countdown?.dispose() });
  show();
  return owned;
}

function registerLoadMore({ commands, workflows, executions }: WorkflowsDeps): Disposable {
  return commands.register<'workflows.loadMore', undefined>('workflows.loadMore', {
    ask: () => Promise.resolve(undefined),
    run: async (argument) => {
      const { connectionId = '', workflowId } = argument ?? {};
      if (workflowId === undefined) await workflows.loadMore();
      else await executions.loadMore({ connectionId, workflowId });
    },
  });
}

export function registerWorkflows(deps: WorkflowsDeps): Disposable {
  const { commands, workflows } = deps;
  const tree = new WorkflowsTree(deps);
  const { view } = deps.workflowsView;
  const freshness = createWorkflowsFreshness(view, deps);
  return combine(
    tree,
    deps.workflowsView.fill(tree),
    freshness,
    showState(view, tree, deps),
    revealFollowed(view, tree, deps),
    registerWorkflowCommands(deps),
    registerImportExport(deps),
    registerLoadMore(deps),
    commands.registerPlain('workflows.refresh', () => freshness.refresh()),
    commands.registerPlain('workflows.filter', async () => {
      await workflows.setFilter(await askFilter(workflows.state.current.filter));
    }),
    commands.registerPlain('workflows.clearFilter', () => workflows.setFilter(noFilter)),
  );
}
