// Presets into the input document, the input document into a preset, and a workflow executed with a preset.
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import { parseInput, renderInput } from '../../model/inputs/inputText.ts';
import type { PresetChoices } from '../../model/inputs/presetChoices.ts';
import type { WorkflowTarget } from '../../domain/targets.ts';
import { textMember } from '../../pickers/activeConnection.ts';
import { decodeWorkflowTarget, pickWorkflow } from '../../pickers/workflowPicker.ts';
import { PlainError } from '../../platform/describeError.ts';
import { lineOf } from '../../platform/describeJsonError.ts';
import { Cancelled } from '../../platform/prompts.ts';
import { type ExecuteResult, executeWorkflow } from './execute.ts';
import type { ExecuteCommandsParts } from './executeCommands.ts';
import { findInputProblems } from './inputProblems.ts';
import { inputTarget } from './inputUri.ts';
import { findPresets, isPresetFile, readPreset, writePreset } from './presets/presetFiles.ts';
import type { Presets } from './presets/presets.ts';

export interface PresetCommandsParts extends ExecuteCommandsParts {
  readonly presets: Presets;
  readonly presetChoices: PresetChoices;
}

/** The input of a preset, as it is and as it is written. Throws a PlainError that says where it is none. */
async function readInput(
  fileUri: vscode.Uri,
): Promise<{ readonly input: JsonObject; readonly text: string }> {
  const { name, text } = await readPreset(fileUri);
  const input = parseInput(text);
  if (input !== undefined) return { input, text };
  const [{ offset, message } = { offset: 0, message: '' }] = findInputProblems(text);
  throw new PlainError(
    vscode.l10n.t('"{0}" holds no input. Line {1}: {2}', name, lineOf(text, offset), message),
  );
}

function decodeTarget(
  value: Readonly<Record<string, unknown>>,
  { connections }: PresetCommandsParts,
): WorkflowTarget | undefined {
  return value instanceof vscode.Uri ? inputTarget(value) : decodeWorkflowTarget(value, connections);
}

/** Saves what the workflow's input document says now. */
async function saveDocument({ documents, presets }: PresetCommandsParts, target: WorkflowTarget) {
  const text = (await documents.open(target)).getText();
  if (parseInput(text) === undefined)
    throw new PlainError(vscode.l10n.t('The input is not a valid JSON object. Nothing was saved.'));
  return presets.askAndSave(target, text);
}

function registerChoosing(parts: PresetCommandsParts): Disposable {
  return parts.commands.register('workflow.inputPresets', {
    decode: (value) => decodeTarget(value, parts),
    expects: '{workflowId}',
    ask: () => parts.documents.askTarget(),
    run: async (target, { isInteractive }) => {
      if (isInteractive) {
        const picked = await parts.presets.ask(target);
        if (picked.kind === 'save') await saveDocument(parts, target);
        if (picked.kind === 'load')
          await parts.documents.put(target, (await readInput(picked.uri)).text, true);
        return undefined;
      }
      const workflow = parts.workflows.find(target) ?? (await parts.workflows.read(target));
      return (await findPresets(workflow.name)).map(({ uri, name }) => ({ name, uri: uri.toString() }));
    },
  });
}

function registerSaving(parts: PresetCommandsParts): Disposable {
  return parts.commands.register('workflow.saveInputPreset', {
    decode: (value) => {
      const target = decodeTarget(value, parts);
      const input = isJsonObject(value['input']) ? value['input'] : undefined;
      return target && { target, input, fileUri: textMember(value, 'fileUri') };
    },
    expects: '{workflowId, input: {…}, fileUri}',
    ask: async () => ({ target: await parts.documents.askTarget(), input: undefined, fileUri: undefined }),
    run: async ({ target, input, fileUri }, { isInteractive }) => {
      if (isInteractive) return { fileUri: (await saveDocument(parts, target)).toString() };
      if (input === undefined || fileUri === undefined) throw new TypeError('input or fileUri is missing.');
      const uri = vscode.Uri.parse(fileUri, true);
      if (!isPresetFile(uri)) throw new TypeError('fileUri is no *.input.json of a folder of the workspace.');
      await writePreset(uri, renderInput(input));
      return { fileUri };
    },
  });
}

interface PresetExecution {
  readonly fileUri: vscode.Uri;
  readonly target: WorkflowTarget | undefined;
}

/** The preset in the active editor, else one that the person chooses. */
async function askPreset({ presets }: PresetCommandsParts): Promise<PresetExecution> {
  const active = vscode.window.activeTextEditor?.document.uri;
  if (active !== undefined && isPresetFile(active)) return { fileUri: active, target: undefined };
  const picked = await presets.ask(undefined);
  if (picked.kind !== 'load') throw new Cancelled();
  return { fileUri: picked.uri, target: undefined };
}

async function executePreset(
  parts: PresetCommandsParts,
  { fileUri, target }: PresetExecution,
  isInteractive: boolean,
): Promise<ExecuteResult> {
  const { input } = await readInput(fileUri);
  if (target === undefined && !isInteractive) throw new TypeError('workflowId is missing.');
  const chosen = target ?? (await pickWorkflow(parts));
  const workflow = parts.workflows.find(chosen) ?? (await parts.workflows.read(chosen));
  const choice = { ...chosen, fileUri: fileUri.toString(), workflowName: workflow.name };
  parts.presetChoices
    .remember(choice)
    .catch((error: unknown) =>
      parts.logger.warn(`The workflow of a preset can't be remembered: ${String(error)}`),
    );
  return executeWorkflow(parts, chosen, input, isInteractive);
}

export function registerPresetCommands(parts: PresetCommandsParts): Disposable {
  const owned = new DisposableStore();
  owned.add(registerChoosing(parts));
  owned.add(registerSaving(parts));
  owned.add(
    parts.commands.register<PresetExecution, ExecuteResult>('preset.execute', {
      decode: (value) => {
        if (value instanceof vscode.Uri) return { fileUri: value, target: undefined };
        const fileUri = textMember(value, 'fileUri');
        if (fileUri === undefined) return undefined;
        const hasWorkflow = textMember(value, 'workflowId') !== undefined;
        const target = hasWorkflow ? decodeWorkflowTarget(value, parts.connections) : undefined;
        return { fileUri: vscode.Uri.parse(fileUri, true), target };
      },
      expects: '{fileUri, workflowId}',
      ask: () => askPreset(parts),
      run: (argument, { isInteractive }) => executePreset(parts, argument, isInteractive),
    }),
  );
  return owned;
}
