import * as vscode from 'vscode';
import { combine, type Disposable, DisposableStore } from '../../base/disposable.ts';
import { noFilter } from '../../model/workflows/workflowFilter.ts';
import type { ListTree } from '../../editor/tree/tree.ts';
import { AutoRefresh, refreshEveryMs } from '../../model/autoRefresh.ts';
import type { App } from '../../ui/app.ts';
import { watchView } from '../../ui/rows/watchView.ts';
import { AddedRow } from './addedRow.ts';
import { askWorkflowFilter } from './askFilter.ts';
import { registerCreate } from './importExport/creating.ts';
import { registerExport } from './importExport/exporting.ts';
import { registerImport } from './importExport/importing.ts';
import { Followed } from './revealFollowed.ts';
import { SelectedRow } from './revealSelected.ts';
import { registerWorkflowCommands } from './workflowCommands.ts';
import { countDown } from './workflowsFrame.ts';
import { createWorkflowsTree, type WorkflowsElement } from './workflowsTree.ts';
import { activeDocument } from '../../editor/documents/documents.ts';
import { inputTarget } from '../../ui/addresses.ts';

export type WorkflowsDeps = Pick<
  App,
  | 'commands'
  | 'connections'
  | 'localService'
  | 'workflows'
  | 'executions'
  | 'following'
  | 'freshExecutions'
  | 'selection'
  | 'services'
  | 'actions'
  | 'contextKeys'
  | 'definitionTargets'
  | 'ages'
  | 'clock'
  | 'logger'
  | 'requestWaits'
  | 'samples'
  | 'views'
>;

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

/** The workflows that are unfolded, of the connection that is shown. */
function unfoldedWorkflows(tree: ListTree<WorkflowsElement>, { workflows }: WorkflowsDeps) {
  const { connectionId } = workflows.state.current;
  const unfolded = tree.unfolded.filter((row) => row.kind === 'workflow');
  return unfolded.filter((row) => row.connectionId === connectionId);
}

/** A long list takes several requests, so it's read again accordingly less often. */
function refreshDelay({ workflows }: WorkflowsDeps): number {
  return refreshEveryMs * Math.max(1, Math.ceil(workflows.state.current.items.length / 100));
}

/** What's in sight of executions: those of the workflows that are unfolded, and the latest of each workflow. */
function watchExecutions(tree: ListTree<WorkflowsElement>, deps: WorkflowsDeps): Disposable {
  const { workflows, freshExecutions, views } = deps;
  return watchView(views.workflows.view, freshExecutions, () => {
    const { connectionId, items } = workflows.state.current;
    if (connectionId === null || items.length === 0) return null;
    const lists = unfoldedWorkflows(tree, deps).map(({ workflowId }) => ({ connectionId, workflowId }));
    const unfolded = tree.unfolded.filter((row) => row.kind === 'execution');
    return { connectionId, showsLatest: true, lists, unfolded };
  });
}

export function registerWorkflows(deps: WorkflowsDeps): Disposable {
  const { commands, workflows, views } = deps;
  const { view, selection } = views.workflows;
  const tree = createWorkflowsTree(view, deps);
  const { executions, clock, logger } = deps;
  const refreshing = new AutoRefresh({
    clock,
    logger,
    refresh: (signal) => workflows.refresh(signal, 'workflows'),
    delayMs: () => refreshDelay(deps),
  });
  const followed = new Followed(view, selection, tree, deps);
  const added = new AddedRow({ ...deps, view, tree });
  return combine(
    tree,
    views.workflows.attach(tree),
    refreshing,
    watchView(view, refreshing, () => null),
    watchExecutions(tree, deps),
    countDown(view, tree, deps),
    followed,
    new SelectedRow({ ...deps, rowSelection: selection, tree, isLed: () => followed.isLeading }),
    added,
    registerWorkflowCommands(deps, added),
    registerArchivedInFront(deps),
    registerCreate(deps, added),
    registerImport(deps, added),
    registerExport(deps),
    registerLoadMore(deps),
    commands.registerPlain('workflows.refresh', async () => {
      refreshing.restart();
      await workflows.refresh();
      await Promise.all(unfoldedWorkflows(tree, deps).map((row) => executions.refresh(row)));
    }),
    commands.registerPlain('workflows.filter', async () => {
      await workflows.setFilter(await askWorkflowFilter(workflows.state.current.filter));
    }),
    commands.registerPlain('workflows.clearFilter', () => workflows.setFilter(noFilter)),
  );
}

function registerArchivedInFront({
  contextKeys,
  definitionTargets,
  workflows,
}: Pick<App, 'contextKeys' | 'definitionTargets' | 'workflows'>): Disposable {
  const owned = new DisposableStore();
  const show = (): void => {
    const uri = activeDocument();
    const target = uri && (definitionTargets.of(uri) ?? inputTarget(uri));
    contextKeys('isArchivedInFront', target !== undefined && workflows.find(target)?.isArchived === true);
  };
  owned.add(vscode.window.tabGroups.onDidChangeTabs(show));
  owned.add(vscode.window.onDidChangeActiveTextEditor(show));
  owned.add(workflows.onDidChangeItems(show));
  owned.add(definitionTargets.onDidChange(show));
  show();
  return owned;
}
