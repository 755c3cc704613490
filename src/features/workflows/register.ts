import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { noFilter, type WorkflowFilter } from '../../model/workflows/workflowFilter.ts';
import { askText, choose } from '../../editor/prompts.ts';
import type { App } from '../../ui/app.ts';
import { ViewFreshness } from '../../ui/rows/viewFreshness.ts';
import { countDown } from './countDown.ts';
import { registerImportExport } from './importExport/register.ts';
import { revealFollowed } from './revealFollowed.ts';
import { registerWorkflowCommands } from './workflowCommands.ts';
import { createWorkflowsTree } from './workflowsTree.ts';

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

export function registerWorkflows(deps: WorkflowsDeps): Disposable {
  const { commands, workflows, executions, clock, logger } = deps;
  const { view } = deps.views.workflows;
  const owned = new DisposableStore();
  const tree = owned.add(createWorkflowsTree(view, deps));
  owned.add(deps.views.workflows.attach(tree));
  const freshness = owned.add(
    new ViewFreshness(view, {
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
    }),
  );
  owned.add(countDown(view, tree, deps));
  owned.add(revealFollowed(view, tree, deps));
  owned.add(registerWorkflowCommands(deps));
  owned.add(registerImportExport(deps));
  owned.add(commands.registerPlain('workflows.refresh', () => freshness.refresh()));
  owned.add(
    commands.registerPlain('workflows.filter', async () => {
      await workflows.setFilter(await askFilter(workflows.state.current.filter));
    }),
  );
  owned.add(commands.registerPlain('workflows.clearFilter', () => workflows.setFilter(noFilter)));
  owned.add(
    commands.register('workflows.loadMore', {
      decode: (value) => ({
        connectionId: String(value['connectionId']),
        workflowId: typeof value['workflowId'] === 'string' ? value['workflowId'] : null,
      }),
      expects: '{connectionId, workflowId?}',
      ask: () => Promise.resolve({ connectionId: '', workflowId: null }),
      run: async ({ connectionId, workflowId }) => {
        if (workflowId === null) await workflows.loadMore();
        else await executions.loadMore({ connectionId, workflowId });
      },
    }),
  );
  return owned;
}
