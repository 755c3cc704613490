// Why: an execution that is being followed unfolds, if the view is open, so that its nodes can be seen turning.
import type * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import type { Executions } from '../../model/executions/executions.ts';
import type { Following } from '../../model/executions/following.ts';
import type { ExecutionTarget } from '../../model/targets.ts';
import type { Workflows } from '../../model/workflows/workflows.ts';
import type { TreeElement } from './elements.ts';
import type { WorkflowsTree } from './workflowsTree.ts';

export interface RevealFollowedParts {
  readonly workflows: Workflows;
  readonly executions: Executions;
  readonly following: Following;
  readonly logger: Logger;
}

/** A row that the tree does not have yet is tried again as news comes, this often at most. */
const maximumAttempts = 10;

export function revealFollowed(
  view: vscode.TreeView<TreeElement>,
  tree: WorkflowsTree,
  { workflows, executions, following, logger }: RevealFollowedParts,
): Disposable {
  /** With how often each was tried. */
  const awaited = new Map<ExecutionTarget, number>();
  const reveal = async (target: ExecutionTarget): Promise<void> => {
    const { connectionId } = workflows.state.current;
    const workflowId = executions.find(target)?.workflowId ?? null;
    if (workflowId === null || target.connectionId !== connectionId) return;
    const element = tree.executionElement(connectionId, workflowId, target.executionId);
    try {
      await view.reveal(element, { select: false, focus: false, expand: true });
      awaited.delete(target);
    } catch (error) {
      logger.debug(`The execution could not be revealed: ${String(error)}`);
    }
  };
  const revealAll = async (): Promise<void> => {
    for (const [target, attempts] of [...awaited]) {
      awaited.set(target, attempts + 1);
      if (!view.visible || attempts === maximumAttempts) awaited.delete(target);
      else await reveal(target);
    }
  };
  let isRevealing = false;
  let hasNews = false;
  // One after the other: each has the tree ask for its rows, and would be in the way of the next.
  const attempt = async (): Promise<void> => {
    hasNews = true;
    if (isRevealing) return;
    isRevealing = true;
    while (hasNews) {
      hasNews = false;
      await revealAll();
    }
    isRevealing = false;
  };
  const owned = new DisposableStore();
  owned.add(
    following.onDidChange(({ target, state }) => {
      if (state.current.kind === 'connecting') awaited.set(target, 0);
      void attempt();
    }),
  );
  owned.add(executions.onDidChange(() => void attempt()));
  return owned;
}
