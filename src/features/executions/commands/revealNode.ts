// The commands that lead from an execution, or from one of its node runs, to the node in the workflow's definition.
import * as vscode from 'vscode';
import { combine, type Disposable } from '../../../base/disposable.ts';
import { isAbortError } from '../../../base/async.ts';
import { ifOffered } from '../../../domain/errors.ts';
import type { ExecutionTarget } from '../../../domain/targets.ts';
import { PlainError } from '../../../editor/plainError.ts';
import { emptyExecution } from '../../../domain/execution.ts';
import { toSelectedId } from '../../../model/selection/shownExecution.ts';
import type { App } from '../../../ui/app.ts';
import { requireWorkflowId } from '../../../ui/workflowOf.ts';
import { pickExecution } from '../../../ui/pickers/executionPicker.ts';
import type { ExecutionDocuments } from '../documents/executionDocuments.ts';
import { findFailedNode } from '../../../model/failures/findFailure.ts';
import { type NodeRunArgument, requireRun } from '../../../ui/pickers/nodeRunPicker.ts';

type RevealDeps = Pick<
  App,
  'clock' | 'commands' | 'connections' | 'executions' | 'following' | 'selection' | 'workflows'
>;

type RunsInDocuments = Pick<ExecutionDocuments, 'findRun'>;

/** Opens the definition, with the execution shown on it, at the node if there is one. Code gets its URI. */
async function reveal(
  { commands, executions, selection }: RevealDeps,
  { connectionId, executionId }: ExecutionTarget,
  nodeId?: string,
): Promise<string | undefined> {
  const workflowId = requireWorkflowId(await ifOffered(executions.get({ connectionId, executionId })));
  const workflow = { connectionId, workflowId };
  selection.selectExecution(workflow, toSelectedId({ executions }, workflow, executionId));
  return commands.run('workflow.open', {
    ...workflow,
    isFile: true,
    ...(nodeId !== undefined && { nodeId }),
  });
}

/** The node run that the document in front shows, or that of the line with the cursor in a log, a timeline or a comparison. */
function runInFront(documents: RunsInDocuments): NodeRunArgument | undefined {
  const editor = vscode.window.activeTextEditor;
  return editor && documents.findRun(editor.document.uri, editor.selection.active.line);
}

function registerReveal(deps: RevealDeps, documents: RunsInDocuments): Disposable {
  return deps.commands.register<'nodeRun.revealInDefinition', NodeRunArgument>('nodeRun.revealInDefinition', {
    ask: async () => runInFront(documents) ?? pickExecution(deps),
    run: async (argument, { isInteractive }) => {
      const { connectionId, executionId, nodeId }: NodeRunArgument = argument;
      const found = nodeId ?? (await requireRun(deps, argument, isInteractive)).nodeId;
      return reveal(deps, { connectionId, executionId }, found);
    },
  });
}

/** Opens the definition at the failed node; where that isn't possible, the document of the failed node run. */
async function openFailedNode(deps: RevealDeps, target: ExecutionTarget): Promise<string | undefined> {
  const { commands, executions, following } = deps;
  const execution = (await ifOffered(executions.get(target))) ?? emptyExecution(target.executionId);
  const readFailed = async () =>
    findFailedNode(execution, (await ifOffered(following.readLog(target)))?.runTree);
  const failed = findFailedNode(execution, executions.logs(target).runTree) ?? (await readFailed());
  if (failed === undefined)
    throw new PlainError(vscode.l10n.t("The service doesn't say which node of this execution failed."));
  try {
    const opened = await reveal(deps, target, failed.nodeId);
    if (opened !== undefined) return opened;
  } catch (error) {
    if (isAbortError(error)) throw error;
  }
  const { nodeId, run = (await readFailed())?.run } = failed;
  return commands.run('nodeRun.open', {
    ...target,
    ...(run === undefined ? { nodeId } : { nodeRunKey: run.key }),
  });
}

export function registerRevealNode(deps: RevealDeps, documents: RunsInDocuments): Disposable {
  return combine(
    registerReveal(deps, documents),
    deps.commands.register('execution.openFailedNode', {
      ask: () => pickExecution(deps, vscode.l10n.t('Select a failed execution'), { areFailed: true }),
      run: (target) => openFailedNode(deps, target),
    }),
    deps.commands.register('execution.showInDefinition', {
      ask: () => pickExecution(deps, vscode.l10n.t('Select an execution to show in its definition')),
      run: (target) => reveal(deps, target),
    }),
  );
}
