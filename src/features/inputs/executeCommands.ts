// Executing from an input document, from code, and again from an execution.
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import { parseInput, renderInput } from '../../model/inputs/inputText.ts';
import type { WorkflowTarget } from '../../domain/targets.ts';
import { textMember } from '../../ui/activeConnection.ts';
import { executionArgument } from '../../ui/pickers/executionPicker.ts';
import { decodeWorkflowTarget, workflowArgument } from '../../ui/pickers/workflowPicker.ts';
import { type ExecuteResult, executeWorkflow } from './execute.ts';
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
> {
  readonly documents: InputDocuments;
  readonly problems: InputProblems;
}

/** With input: run it. Without: open the input document, or, where it is open, run what it says. */
interface ExecuteArgument {
  readonly target: WorkflowTarget;
  readonly input: JsonObject | undefined;
  /** The input document that the person pressed ▶ in. */
  readonly documentUri: string | undefined;
}

/** Runs what an input document says now, saved or not; undefined when it may not be sent. */
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

function registerExecute(deps: ExecuteCommandsDeps): Disposable {
  return deps.commands.register<ExecuteArgument, ExecuteResult | undefined>('workflow.execute', {
    decode: (value) => {
      if (value instanceof vscode.Uri) {
        const target = inputTarget(value);
        return target && { target, input: undefined, documentUri: value.toString() };
      }
      const target = decodeWorkflowTarget(value, deps.connections);
      const input = value['input'];
      if (target === undefined || (input !== undefined && !isJsonObject(input))) return undefined;
      return { target, input, documentUri: textMember(value, 'inputUri') };
    },
    expects: '{workflowId, input: {…}}',
    ask: async () => ({
      target: await deps.documents.askTarget(),
      input: undefined,
      documentUri: deps.documents.active()?.toString(),
    }),
    run: async ({ target, input, documentUri }, { isInteractive }) => {
      if (documentUri !== undefined) return executeDocument(deps, vscode.Uri.parse(documentUri, true));
      if (!isInteractive) {
        if (input === undefined) throw new TypeError('The input is missing: it must be an object.');
        return executeWorkflow(deps, target, input, false);
      }
      await deps.documents.open(target);
      return undefined;
    },
  });
}

/** Again as it was, or with its input in the document to change it first. */
function registerAgain(deps: ExecuteCommandsDeps): Disposable {
  const owned = new DisposableStore();
  owned.add(
    deps.commands.register('execution.rerun', {
      ...executionArgument(deps),
      run: async (execution, { isInteractive }) => {
        const { target, input } = await readExecutionInput(deps.executions, execution);
        return executeWorkflow(deps, target, input, isInteractive);
      },
    }),
  );
  owned.add(
    deps.commands.register('execution.editInput', {
      ...executionArgument(deps),
      run: async (execution, { isInteractive }) => {
        const { target, input } = await readExecutionInput(deps.executions, execution);
        const document = await deps.documents.put(target, renderInput(input), isInteractive);
        return document.uri.toString();
      },
    }),
  );
  return owned;
}

/** The input document as it is, or with a text that something else suggests. */
function registerOpenInput({ commands, documents, ...deps }: ExecuteCommandsDeps): Disposable {
  return commands.register<Omit<ExecuteArgument, 'documentUri'>, string>('workflow.openInput', {
    decode: (value) => {
      const target = decodeWorkflowTarget(value, deps.connections);
      const input = value['input'];
      if (target === undefined || (input !== undefined && !isJsonObject(input))) return undefined;
      return { target, input };
    },
    expects: '{workflowId, input?: {…}}',
    ask: async () => ({ target: await workflowArgument(deps).ask(), input: undefined }),
    run: async ({ target, input }, { isInteractive }) => {
      const opened =
        input === undefined
          ? documents.open(target)
          : documents.put(target, renderInput(input), isInteractive);
      return (await opened).uri.toString();
    },
  });
}

export function registerExecuteCommands(deps: ExecuteCommandsDeps): Disposable {
  const owned = new DisposableStore();
  owned.add(registerExecute(deps));
  owned.add(registerAgain(deps));
  owned.add(registerOpenInput(deps));
  return owned;
}
