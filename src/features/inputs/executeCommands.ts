// The commands that execute a workflow: with a given input, with the one in a document, at once with the one at hand, or again.
import * as vscode from 'vscode';
import { combine, type Disposable } from '../../base/disposable.ts';
import type { ExecutionTarget, WorkflowTarget } from '../../domain/targets.ts';
import type { ExecuteResult } from '../../editor/commands/declared/members.ts';
import { confirm } from '../../editor/prompts/dialogs.ts';
import { actOnAll, nameOfOne } from '../../ui/actOnAll.ts';
import type { App } from '../../ui/app.ts';
import { inputTarget } from '../../ui/addresses.ts';
import { notSent } from '../../ui/notSent.ts';
import { pickExecution } from '../../ui/pickers/executionPicker.ts';
import { readOpenDefinition } from '../../ui/pickers/openDefinition.ts';
import { liveWorkflow, pickWorkflow } from '../../ui/pickers/workflowPicker.ts';
import type { Executor } from './execute.ts';
import { type AtOnceDeps, executeAtOnce } from './executeAtOnce.ts';
import { findInput, type InputDocuments } from './inputDocuments.ts';
import { readExecutionInput } from './recordedInput.ts';
import type { InputProblems } from './inputProblems.ts';
import type { RetryRequest, DraftRequest } from '../../protocol/requests.ts';
import { isRetryable } from '../../words/executionWords.ts';

type ExecuteCommandsDeps = AtOnceDeps & Pick<App, 'clock' | 'executions' | 'requestWaits'>;

function registerRerun(deps: ExecuteCommandsDeps, executor: Executor): Disposable {
  const { commands, executions } = deps;
  return commands.register('execution.rerun', {
    ask: () => pickExecution(deps),
    run: async (execution, { isInteractive, selected }) => {
      const isOneOfMany = execution.isOneOfMany === true || selected.length > 1;
      const executeAgain = async (each: ExecutionTarget, signal?: AbortSignal) => {
        const { target, input, trigger } = await readExecutionInput(executions, each, signal);
        return executor.execute(target, input, {
          isInteractive: isInteractive && !isOneOfMany,
          isOneOfMany,
          trigger,
        });
      };
      const [first = execution, ...others] = selected;
      if (others.length === 0) return executeAgain(first);
      await confirm(
        vscode.l10n.t('Execute {0} executions again?', selected.length),
        vscode.l10n.t('Execute Again'),
        vscode.l10n.t('Each with its own input, and with what is deployed now.'),
      );
      return actOnAll(deps, [first, ...others], {
        progress: vscode.l10n.t('Executing…'),
        nameOf: (each) => nameOfOne(deps, each),
        act: (each, signal) => executeAgain(each, signal),
      });
    },
  });
}

export function registerExecuteCommands(
  deps: ExecuteCommandsDeps,
  executor: Executor,
  documents: InputDocuments,
  problems: InputProblems,
): Disposable {
  const { actions, commands } = deps;
  /** Executes with the current text of an input document, saved or not. */
  const executeDocument = async (
    uri: vscode.Uri,
    asksTrigger: boolean | undefined,
  ): Promise<ExecuteResult | undefined> => {
    const target = inputTarget(uri);
    if (target === undefined) return undefined;
    const document = await vscode.workspace.openTextDocument(uri);
    const input = problems.check(document);
    if (input === undefined) throw notSent('input');
    if (document.isDirty) await document.save();
    return executor.execute(target, input, { isInteractive: true, asksTrigger });
  };
  return combine(
    commands.register('workflow.execute', {
      ask: () => pickWorkflow(deps, liveWorkflow()),
      run: async (argument, { isInteractive }) => {
        const { connectionId, workflowId, input, inputUri, isAtOnce, isConfirmed, trigger, asksTrigger } =
          argument;
        const target = { connectionId, workflowId };
        actions.refuseArchived(target);
        if (input !== undefined && (!isInteractive || isConfirmed === true))
          return executor.execute(target, input, { isInteractive, isConfirmed: true, trigger });
        if (inputUri !== undefined) return executeDocument(vscode.Uri.parse(inputUri, true), asksTrigger);
        if (isAtOnce === true) return executeAtOnce(deps, executor, documents, target);
        await documents.open(target);
        return undefined;
      },
    }),
    registerRerun(deps, executor),
    registerRetry(deps, executor),
    registerExecuteDraft(deps, executor),
  );
}

function registerRetry(deps: ExecuteCommandsDeps, executor: Executor): Disposable {
  return deps.commands.register('execution.retry', {
    ask: () =>
      pickExecution(deps, vscode.l10n.t('Select an execution to retry'), {
        accepts: isRetryable,
        nothing: vscode.l10n.t('No execution failed or was cancelled.'),
      }),
    run: async (argument, { isInteractive, selected }) => {
      const isOneOfMany = selected.length > 1;
      const retry = ({ connectionId, executionId, fromNodeId, definition }: ExecutionTarget & RetryRequest) =>
        executor.retry(
          { connectionId, executionId },
          { fromNodeId, definition },
          { isInteractive: isInteractive && !isOneOfMany, isOneOfMany },
        );
      const [first = argument, ...others] = selected;
      if (others.length === 0) return retry(first);
      return actOnAll(deps, [first, ...others], {
        progress: vscode.l10n.t('Retrying…'),
        nameOf: (each) => nameOfOne(deps, each),
        act: (each) => retry(each),
      });
    },
  });
}

function registerExecuteDraft(deps: ExecuteCommandsDeps, executor: Executor): Disposable {
  /** Code gets what it asks for. A user gets what they see: the text and its input. */
  const complete = async (target: WorkflowTarget, draft: DraftRequest): Promise<DraftRequest> => {
    const definition = draft.definition ?? readOpenDefinition(deps, target);
    if (draft.input !== undefined || draft.basedOn !== undefined) return { ...draft, definition };
    const input = await findInput(deps, target);
    if (input === undefined) throw notSent('input');
    return { ...draft, definition, input };
  };
  return deps.commands.register('workflow.executeDraft', {
    ask: () => pickWorkflow(deps, liveWorkflow()),
    run: async ({ connectionId, workflowId, trigger, ...draft }, { isInteractive }) => {
      const target = { connectionId, workflowId };
      deps.actions.refuseArchived(target);
      const wanted = isInteractive ? await complete(target, draft) : draft;
      return executor.executeDraft(target, wanted, { isInteractive, trigger });
    },
  });
}
