import * as vscode from 'vscode';
import { combine, type Disposable } from '../../base/disposable.ts';
import { noFilter, type WorkflowFilter } from '../../model/workflows/workflowFilter.ts';
import { askText, choose } from '../../editor/prompts.ts';
import type { ListTree } from '../../editor/tree.ts';
import type { App } from '../../ui/app.ts';
import { ViewFreshness } from '../../ui/rows/viewFreshness.ts';
import { AddedRow } from './addedRow.ts';
import { registerCreate } from './importExport/creating.ts';
import { registerExport } from './importExport/exporting.ts';
import { registerImport } from './importExport/importing.ts';
import { revealFollowed } from './revealFollowed.ts';
import { registerWorkflowCommands } from './workflowCommands.ts';
import { countDown } from './workflowsFrame.ts';
import { createWorkflowsTree, type WorkflowsElement } from './workflowsTree.ts';

export type WorkflowsDeps = Pick<
  App,
  | 'commands'
  | 'connections'
  | 'localService'
  | 'workflows'
  | 'executions'
  | 'following'
  | 'actions'
  | 'contextKeys'
  | 'clock'
  | 'logger'
  | 'samples'
  | 'views'
>;

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

/** Refreshes the workflows, and the executions of those that are expanded. */
function createFreshness(tree: ListTree<WorkflowsElement>, deps: WorkflowsDeps): ViewFreshness {
  const { workflows, executions, clock, logger, views } = deps;
  return new ViewFreshness(views.workflows.view, {
    clock,
    logger,
    purpose: 'workflows',
    changes: [workflows.onDidChangeItems, executions.onDidChange],
    refresh: async (signal, purpose) => {
      const { connectionId } = workflows.state.current;
      await workflows.refresh(signal, purpose);
      const unfolded = tree.unfolded.filter((row) => row.kind === 'workflow');
      const shown = unfolded.filter((row) => row.connectionId === connectionId);
      await Promise.all(shown.map((row) => executions.refresh(row, signal, purpose)));
    },
  });
}

export function registerWorkflows(deps: WorkflowsDeps): Disposable {
  const { commands, workflows, views } = deps;
  const { view } = views.workflows;
  const tree = createWorkflowsTree(view, deps);
  const freshness = createFreshness(tree, deps);
  const added = new AddedRow({ ...deps, view, tree });
  return combine(
    tree,
    views.workflows.attach(tree),
    freshness,
    countDown(view, tree, deps),
    revealFollowed(view, tree, deps),
    added,
    registerWorkflowCommands(deps, added),
    registerCreate(deps, added),
    registerImport(deps, added),
    registerExport(deps),
    registerLoadMore(deps),
    commands.registerPlain('workflows.refresh', () => freshness.refresh()),
    commands.registerPlain('workflows.filter', async () => {
      await workflows.setFilter(await askFilter(workflows.state.current.filter));
    }),
    commands.registerPlain('workflows.clearFilter', () => workflows.setFilter(noFilter)),
  );
}
