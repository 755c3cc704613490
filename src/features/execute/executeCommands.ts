// Executing from an input document, from code, and again from an execution.
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import type { Connections } from '../../model/connections/connections.ts';
import { parseInput, renderInput } from '../../model/inputs/inputText.ts';
import type { WorkflowTarget } from '../../domain/targets.ts';
import { textMember } from '../../pickers/activeConnection.ts';
import { executionArgument } from '../../pickers/executionPicker.ts';
import { decodeWorkflowTarget, workflowArgument } from '../../pickers/workflowPicker.ts';
import type { Commands } from '../../platform/commands.ts';
import { PlainError } from '../../platform/describeError.ts';
import { type ExecuteParts, type ExecuteResult, executeWorkflow } from './execute.ts';
import type { InputDocuments } from './inputDocuments.ts';
import { readExecutionInput } from './inputHistoryCommand.ts';
import type { InputProblems } from './inputProblems.ts';
import { inputTarget } from './inputUri.ts';

export interface ExecuteCommandsParts extends ExecuteParts {
  readonly commands: Commands;
  readonly connections: Connections;
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
  parts: ExecuteCommandsParts,
  uri: vscode.Uri,
): Promise<ExecuteResult | undefined> {
  const target = inputTarget(uri);
  if (target === undefined) return undefined;
  const document = await vscode.workspace.openTextDocument(uri);
  const input = parseInput(document.getText());
  if (!parts.problems.check(document) || input === undefined) {
    throw new PlainError(
      vscode.l10n.t('The input is not a valid JSON object. Nothing was sent; the document shows where.'),
    );
  }
  if (document.isDirty) await document.save();
  return executeWorkflow(parts, target, input, true);
}

function registerExecute(parts: ExecuteCommandsParts): Disposable {
  return parts.commands.register<ExecuteArgument, ExecuteResult | undefined>('workflow.execute', {
    decode: (value) => {
      if (value instanceof vscode.Uri) {
        const target = inputTarget(value);
        return target && { target, input: undefined, documentUri: value.toString() };
      }
      const target = decodeWorkflowTarget(value, parts.connections);
      const input = value['input'];
      if (target === undefined || (input !== undefined && !isJsonObject(input))) return undefined;
      return { target, input, documentUri: textMember(value, 'inputUri') };
    },
    expects: '{workflowId, input: {…}}',
    ask: async () => ({
      target: await parts.documents.askTarget(),
      input: undefined,
      documentUri: parts.documents.active()?.toString(),
    }),
    run: async ({ target, input, documentUri }, { isInteractive }) => {
      if (documentUri !== undefined) return executeDocument(parts, vscode.Uri.parse(documentUri, true));
      if (!isInteractive) {
        if (input === undefined) throw new TypeError('The input is missing: it must be an object.');
        return executeWorkflow(parts, target, input, false);
      }
      await parts.documents.open(target);
      return undefined;
    },
  });
}

/** Again as it was, or with its input in the document to change it first. */
function registerAgain(parts: ExecuteCommandsParts): Disposable {
  const owned = new DisposableStore();
  owned.add(
    parts.commands.register('execution.rerun', {
      ...executionArgument(parts),
      run: async (execution, { isInteractive }) => {
        const { target, input } = await readExecutionInput(parts.executions, execution);
        return executeWorkflow(parts, target, input, isInteractive);
      },
    }),
  );
  owned.add(
    parts.commands.register('execution.editInput', {
      ...executionArgument(parts),
      run: async (execution, { isInteractive }) => {
        const { target, input } = await readExecutionInput(parts.executions, execution);
        const document = await parts.documents.put(target, renderInput(input), isInteractive);
        return document.uri.toString();
      },
    }),
  );
  return owned;
}

/** The input document as it is, or with a text that something else suggests. */
function registerOpenInput({ commands, documents, ...parts }: ExecuteCommandsParts): Disposable {
  return commands.register<Omit<ExecuteArgument, 'documentUri'>, string>('workflow.openInput', {
    decode: (value) => {
      const target = decodeWorkflowTarget(value, parts.connections);
      const input = value['input'];
      if (target === undefined || (input !== undefined && !isJsonObject(input))) return undefined;
      return { target, input };
    },
    expects: '{workflowId, input?: {…}}',
    ask: async () => ({ target: await workflowArgument(parts).ask(), input: undefined }),
    run: async ({ target, input }, { isInteractive }) => {
      const opened =
        input === undefined
          ? documents.open(target)
          : documents.put(target, renderInput(input), isInteractive);
      return (await opened).uri.toString();
    },
  });
}

export function registerExecuteCommands(parts: ExecuteCommandsParts): Disposable {
  const owned = new DisposableStore();
  owned.add(registerExecute(parts));
  owned.add(registerAgain(parts));
  owned.add(registerOpenInput(parts));
  return owned;
}
