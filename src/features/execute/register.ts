// Why: the input document and executing from it, from the tree, the palette and code.
import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import type { Disposable } from '../../base/disposable.ts';
import { isJsonObject } from '../../base/json.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Connections } from '../../model/connections/connections.ts';
import { defaultInputText, parseInput } from '../../model/inputs/inputText.ts';
import type { WorkflowTarget } from '../../model/targets.ts';
import { decodeExecutionTarget, pickExecution } from '../../pickers/executionPicker.ts';
import { textMember } from '../../pickers/activeConnection.ts';
import { decodeWorkflowTarget, pickWorkflow, workflowArgument } from '../../pickers/workflowPicker.ts';
import type { Commands } from '../../platform/commands.ts';
import { PlainError } from '../../platform/describeError.ts';
import { schemes } from '../../platform/ids.ts';
import type { LazyFiles } from '../../platform/lazySurfaces.ts';
import { executeWorkflow } from './execute.ts';
import type { ExecuteParts, ExecuteResult } from './execute.ts';
import { registerInputCodeLens } from './inputCodeLens.ts';
import { InputFiles } from './inputFiles.ts';
import { createInputProblems } from './inputProblems.ts';
import type { InputProblems } from './inputProblems.ts';
import { inputTarget, inputUri } from './inputUri.ts';

export interface ExecuteFeatureParts extends ExecuteParts {
  readonly commands: Commands;
  readonly connections: Connections;
  readonly inputFiles: LazyFiles;
}

/** With input: run it. Without: open the input document, or, where it is open, run what it says. */
interface ExecuteArgument {
  readonly target: WorkflowTarget;
  readonly input: JsonObject | undefined;
  /** The input document that the person pressed ▶ in. */
  readonly documentUri: string | undefined;
}

async function openInput(parts: ExecuteFeatureParts, target: WorkflowTarget): Promise<vscode.Uri> {
  const workflow = parts.workflows.find(target) ?? (await parts.workflows.read(target));
  const uri = inputUri(target, workflow.name);
  const document = await vscode.workspace.openTextDocument(uri);
  await vscode.window.showTextDocument(document, { preview: false });
  return uri;
}

/** Runs what an input document says now, saved or not; undefined when it may not be sent. */
async function executeDocument(
  parts: ExecuteFeatureParts,
  problems: InputProblems,
  uri: vscode.Uri,
): Promise<ExecuteResult | undefined> {
  const target = inputTarget(uri);
  if (target === undefined) return undefined;
  const document = await vscode.workspace.openTextDocument(uri);
  const parsed = parseInput(document.getText());
  if (!problems.check(document) || parsed.kind !== 'input') {
    throw new PlainError(
      vscode.l10n.t('The input is not a valid JSON object. Nothing was sent; the document shows where.'),
    );
  }
  if (document.isDirty) await document.save();
  return executeWorkflow(parts, target, parsed.input, true);
}

function activeInputDocument(): vscode.Uri | undefined {
  const uri = vscode.window.activeTextEditor?.document.uri;
  return uri?.scheme === schemes.input ? uri : undefined;
}

async function decodeNothing(parts: ExecuteFeatureParts): Promise<ExecuteArgument> {
  const open = activeInputDocument();
  const target = open === undefined ? await pickWorkflow(parts) : inputTarget(open);
  if (target === undefined) throw new PlainError(vscode.l10n.t('This document belongs to no workflow.'));
  return { target, input: undefined, documentUri: open?.toString() };
}

function registerExecute(parts: ExecuteFeatureParts, problems: InputProblems): Disposable {
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
    ask: () => decodeNothing(parts),
    run: async ({ target, input, documentUri }, { isInteractive }) => {
      if (documentUri !== undefined)
        return executeDocument(parts, problems, vscode.Uri.parse(documentUri, true));
      if (!isInteractive) {
        if (input === undefined) throw new TypeError('The input is missing: it must be an object.');
        return executeWorkflow(parts, target, input, false);
      }
      await openInput(parts, target);
      return undefined;
    },
  });
}

function registerRerun(parts: ExecuteFeatureParts): Disposable {
  const { connections, executions, commands } = parts;
  return commands.register('execution.rerun', {
    decode: (value) => decodeExecutionTarget(value, connections),
    expects: '{executionId}',
    ask: () => pickExecution(parts),
    run: async (target, { isInteractive }) => {
      const { workflowId, input } = await executions.read(target);
      if (workflowId === null || !isJsonObject(input)) {
        throw new PlainError(
          vscode.l10n.t('The service does not tell the input of this execution, so it cannot be run again.'),
        );
      }
      return executeWorkflow(parts, { connectionId: target.connectionId, workflowId }, input, isInteractive);
    },
  });
}

export function registerExecution(parts: ExecuteFeatureParts): Disposable {
  const owned = new DisposableStore();
  const files = owned.add(
    new InputFiles(parts.drafts, async (target) => {
      const known = parts.workflows.find(target);
      return defaultInputText(known?.hasDefinition === true ? known : await parts.workflows.read(target));
    }),
  );
  owned.add(parts.inputFiles.fill(files));
  const problems = owned.add(createInputProblems());
  owned.add(registerInputCodeLens());
  owned.add(registerExecute(parts, problems));
  owned.add(registerRerun(parts));
  owned.add(
    parts.commands.register('workflow.openInput', {
      ...workflowArgument(parts),
      run: async (target) => (await openInput(parts, target)).toString(),
    }),
  );
  return owned;
}
