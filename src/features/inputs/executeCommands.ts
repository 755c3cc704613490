// The commands that execute a workflow from an input document, from code, or again from an execution.
import * as vscode from 'vscode';
import { combine, type Disposable } from '../../base/disposable.ts';
import { parseInput, renderInput } from '../../model/inputs/inputText.ts';
import { pickExecution } from '../../ui/pickers/executionPicker.ts';
import { pickWorkflow } from '../../ui/pickers/workflowPicker.ts';
import type { CommandArgument, ExecuteResult } from '../../editor/commandTypes.ts';
import { executeWorkflow } from './execute.ts';
import type { InputDocuments } from './inputDocuments.ts';
import { readExecutionInput } from './inputHistoryCommand.ts';
import type { InputProblems } from './inputProblems.ts';
import { PlainError } from '../../editor/plainError.ts';
import type { App } from '../../ui/app.ts';
import { inputTarget } from '../../ui/addresses.ts';

export interface ExecuteCommandsDeps extends Pick<
  App,
  | 'commands'
  | 'connections'
  | 'actions'
  | 'workflows'
  | 'executions'
  | 'drafts'
  | 'history'
  | 'clock'
  | 'logger'
  | 'following'
> {
  readonly documents: InputDocuments;
  readonly problems: InputProblems;
}

/** Executes with the current text of an input document, saved or not. Returns undefined if the URI isn't an input document. */
async function executeDocument(
  deps: ExecuteCommandsDeps,
  uri: vscode.Uri,
): Promise<ExecuteResult | undefined> {
  const target = inputTarget(uri);
  if (target === undefined) return undefined;
  const document = await vscode.workspace.openTextDocument(uri);
  const input = parseInput(document.getText());
  if (!deps.problems.check(document) || input === undefined) {
    throw new PlainError(
      vscode.l10n.t('The input is not a valid JSON object. Nothing was sent; the document shows where.'),
    );
  }
  if (document.isDirty) await document.save();
  return executeWorkflow(deps, target, input, true);
}

/** Executes the input document where the user pressed ▶; else opens the input document. */
async function executeForPerson(
  deps: ExecuteCommandsDeps,
  { inputUri, ...target }: CommandArgument<'workflow.execute'>,
): Promise<ExecuteResult | undefined> {
  if (inputUri !== undefined) return executeDocument(deps, vscode.Uri.parse(inputUri, true));
  await deps.documents.open(target);
  return undefined;
}

function registerExecute(deps: ExecuteCommandsDeps): Disposable {
  const { commands, documents } = deps;
  const fromDocument = (uri: vscode.Uri) => {
    const target = inputTarget(uri);
    return target && { ...target, inputUri: uri.toString() };
  };
  return commands.register('workflow.execute', {
    fromDocument,
    ask: async () => {
      const active = documents.active();
      return (active && fromDocument(active)) ?? pickWorkflow(deps);
    },
    run: async (argument, { isInteractive }) => {
      const { connectionId, workflowId, input } = argument;
      return isInteractive || input === undefined
        ? executeForPerson(deps, argument)
        : executeWorkflow(deps, { connectionId, workflowId }, input, false);
    },
  });
}

/** Executes the workflow again with the same input. */
function registerRerun(deps: ExecuteCommandsDeps): Disposable {
  const { commands, executions } = deps;
  return commands.register('execution.rerun', {
    ask: () => pickExecution(deps),
    run: async (execution, { isInteractive }) => {
      const { target, input } = await readExecutionInput(executions, execution);
      return executeWorkflow(deps, target, input, isInteractive);
    },
  });
}

/** Opens the input document with the execution's input, so that the user can change it first. */
function registerEditInput(deps: ExecuteCommandsDeps): Disposable {
  const { commands, executions, documents } = deps;
  return commands.register('execution.editInput', {
    ask: () => pickExecution(deps),
    run: async (execution, { isInteractive }) => {
      const { target, input } = await readExecutionInput(executions, execution);
      const document = await documents.put(target, renderInput(input), isInteractive);
      return document.uri.toString();
    },
  });
}

/** Opens the input document, with `input` as its text if it's given. */
function registerOpenInput({ commands, documents, ...deps }: ExecuteCommandsDeps): Disposable {
  return commands.register('workflow.openInput', {
    ask: () => pickWorkflow(deps),
    run: async ({ input, ...target }, { isInteractive }) => {
      const opened =
        input === undefined
          ? documents.open(target)
          : documents.put(target, renderInput(input), isInteractive);
      return (await opened).uri.toString();
    },
  });
}

export function registerExecuteCommands(deps: ExecuteCommandsDeps): Disposable {
  return combine(
    registerExecute(deps),
    registerRerun(deps),
    registerEditInput(deps),
    registerOpenInput(deps),
  );
}
