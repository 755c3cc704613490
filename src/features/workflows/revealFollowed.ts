// An execution that is being followed unfolds, if the view is open, so that its nodes can be seen turning.
import type * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { TreeElement } from './elements.ts';
import { createUnfolding } from './unfolding.ts';
import type { WorkflowsTree } from './workflowsTree.ts';
import type { App } from '../../ui/app.ts';

export type RevealFollowedDeps = Pick<App, 'workflows' | 'executions' | 'following' | 'clock' | 'logger'>;

export function revealFollowed(
  view: vscode.TreeView<TreeElement>,
  tree: WorkflowsTree,
  { workflows, executions, following, clock, logger }: RevealFollowedDeps,
): Disposable {
  const owned = new DisposableStore();
  const unfolding = owned.add(createUnfolding(view, { clock, logger }));
  owned.add(
    following.onDidChange(({ target, state }) => {
      if (state.current.kind !== 'connecting') return;
      const { connectionId, executionId } = target;
      unfolding.unfold(() => {
        const workflowId = executions.find(target)?.workflowId ?? null;
        if (workflowId === null || workflows.state.current.connectionId !== connectionId) return undefined;
        return tree.executionElement(connectionId, workflowId, executionId);
      });
    }),
  );
  return owned;
}
