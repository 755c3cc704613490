// An execution that is being followed unfolds, if the view is open, so that its nodes can be seen turning.
import type * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import type { Executions } from '../../model/executions/executions.ts';
import type { Following } from '../../model/executions/following.ts';
import type { Clock } from '../../model/ports.ts';
import type { Workflows } from '../../model/workflows/workflows.ts';
import type { TreeElement } from './elements.ts';
import { createUnfolding } from './unfolding.ts';
import type { WorkflowsTree } from './workflowsTree.ts';

export interface RevealFollowedParts {
  readonly workflows: Workflows;
  readonly executions: Executions;
  readonly following: Following;
  readonly clock: Clock;
  readonly logger: Logger;
}

export function revealFollowed(
  view: vscode.TreeView<TreeElement>,
  tree: WorkflowsTree,
  { workflows, executions, following, clock, logger }: RevealFollowedParts,
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
