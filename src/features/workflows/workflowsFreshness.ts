// What of the Workflows view is read again: the workflows, and the executions of those that are unfolded.
import type * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import type { WorkflowTarget } from '../../domain/targets.ts';
import { createViewFreshness, type ViewFreshness } from '../../ui/rows/viewFreshness.ts';
import type { TreeElement } from './elements.ts';
import type { App } from '../../ui/app.ts';

export type WorkflowsFreshnessDeps = Pick<App, 'workflows' | 'executions' | 'clock' | 'logger'>;

export function createWorkflowsFreshness(
  view: vscode.TreeView<TreeElement>,
  { workflows, executions, clock, logger }: WorkflowsFreshnessDeps,
): ViewFreshness {
  const owned = new DisposableStore();
  const unfolded = new Map<string, WorkflowTarget>();
  const freshness = owned.add(
    createViewFreshness(view, {
      clock,
      logger,
      purpose: 'workflows',
      changes: [workflows.onDidChangeItems, executions.onDidChange],
      refresh: async (signal, purpose) => {
        const { connectionId } = workflows.state.current;
        await workflows.refresh(signal, purpose);
        const shown = [...unfolded.values()].filter((scope) => scope.connectionId === connectionId);
        await Promise.all(shown.map((scope) => executions.refresh(scope, signal, purpose)));
      },
    }),
  );
  owned.add(
    view.onDidExpandElement(({ element }) => {
      if (element.kind === 'workflow') unfolded.set(element.key, element);
    }),
  );
  owned.add(
    view.onDidCollapseElement(({ element }) => {
      unfolded.delete(element.key);
    }),
  );
  return {
    refresh: () => freshness.refresh(),
    dispose: () => owned.dispose(),
  };
}
