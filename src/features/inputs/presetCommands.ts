// Presets into the input document, the input document into a preset, and a workflow executed with a preset.
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import { parseInput, renderInput } from '../../model/inputs/inputText.ts';
import type { WorkflowTarget } from '../../domain/targets.ts';
import { textMember } from '../../ui/activeConnection.ts';
import { decodeWorkflowTarget, pickWorkflow } from '../../ui/pickers/workflowPicker.ts';
import { lineOf } from '../../ui/words/describeJsonError.ts';
import { Cancelled } from '../../editor/prompts.ts';
import { type ExecuteResult, executeWorkflow } from './execute.ts';
import { findInputProblems, type InputProblems } from './inputProblems.ts';
import { findPresets, isPresetFile, readPreset, writePreset } from './presets/presetFiles.ts';
import type { Presets } from './presets/presets.ts';
import { PlainError } from '../../editor/plainError.ts';
import type { App } from '../../ui/app.ts';
import type { InputDocuments } from './inputDocuments.ts';
import { inputTarget } from '../../ui/addresses.ts';

export interface PresetCommandsDeps extends Pick<
  App,
  | 'presetChoices'
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
  readonly presets: Presets;
  readonly documents: InputDocuments;
  readonly problems: InputProblems;
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
  { connections }: PresetCommandsDeps,
): WorkflowTarget | undefined {
  return value instanceof vscode.Uri ? inputTarget(value) : decodeWorkflowTarget(value, connections);
}

/** Saves what the workflow's input document says now. */
async function saveDocument({ documents, presets }: PresetCommandsDeps, target: WorkflowTarget) {
  const text = (await documents.open(target)).getText();
  if (parseInput(text) === undefined)
    throw new PlainError(vscode.l10n.t('The input is not a valid JSON object. Nothing was saved.'));
  return presets.askAndSave(target, text);
}

function registerChoosing(deps: PresetCommandsDeps): Disposable {
  return deps.commands.register('workflow.inputPresets', {
    decode: (value) => decodeTarget(value, deps),
    expects: '{workflowId}',
    ask: () => deps.documents.askTarget(),
    run: async (target, { isInteractive }) => {
      if (isInteractive) {
        const picked = await deps.presets.ask(target);
        if (picked.kind === 'save') await saveDocument(deps, target);
        if (picked.kind === 'load')
          await deps.documents.put(target, (await readInput(picked.uri)).text, true);
        return undefined;
      }
      const workflow = deps.workflows.find(target) ?? (await deps.workflows.read(target));
      return (await findPresets(workflow.name)).map(({ uri, name }) => ({ name, uri: uri.toString() }));
    },
  });
}

function registerSaving(deps: PresetCommandsDeps): Disposable {
  return deps.commands.register('workflow.saveInputPreset', {
    decode: (value) => {
      const target = decodeTarget(value, deps);
      const input = isJsonObject(value['input']) ? value['input'] : undefined;
      return target && { target, input, fileUri: textMember(value, 'fileUri') };
    },
    expects: '{workflowId, input: {…}, fileUri}',
    ask: async () => ({ target: await deps.documents.askTarget(), input: undefined, fileUri: undefined }),
    run: async ({ target, input, fileUri }, { isInteractive }) => {
      if (isInteractive) return { fileUri: (await saveDocument(deps, target)).toString() };
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
async function askPreset({ presets }: PresetCommandsDeps): Promise<PresetExecution> {
  const active = vscode.window.activeTextEditor?.document.uri;
  if (active !== undefined && isPresetFile(active)) return { fileUri: active, target: undefined };
  const picked = await presets.ask(undefined);
  if (picked.kind !== 'load') throw new Cancelled();
  return { fileUri: picked.uri, target: undefined };
}

async function executePreset(
  deps: PresetCommandsDeps,
  { fileUri, target }: PresetExecution,
  isInteractive: boolean,
): Promise<ExecuteResult> {
  const { input } = await readInput(fileUri);
  if (target === undefined && !isInteractive) throw new TypeError('workflowId is missing.');
  const chosen = target ?? (await pickWorkflow(deps));
  const workflow = deps.workflows.find(chosen) ?? (await deps.workflows.read(chosen));
  const choice = { ...chosen, fileUri: fileUri.toString(), workflowName: workflow.name };
  deps.presetChoices
    .remember(choice)
    .catch((error: unknown) =>
      deps.logger.warn(`The workflow of a preset can't be remembered: ${String(error)}`),
    );
  return executeWorkflow(deps, chosen, input, isInteractive);
}

export function registerPresetCommands(deps: PresetCommandsDeps): Disposable {
  const owned = new DisposableStore();
  owned.add(registerChoosing(deps));
  owned.add(registerSaving(deps));
  owned.add(
    deps.commands.register<PresetExecution, ExecuteResult>('preset.execute', {
      decode: (value) => {
        if (value instanceof vscode.Uri) return { fileUri: value, target: undefined };
        const fileUri = textMember(value, 'fileUri');
        if (fileUri === undefined) return undefined;
        const hasWorkflow = textMember(value, 'workflowId') !== undefined;
        const target = hasWorkflow ? decodeWorkflowTarget(value, deps.connections) : undefined;
        return { fileUri: vscode.Uri.parse(fileUri, true), target };
      },
      expects: '{fileUri, workflowId}',
      ask: () => askPreset(deps),
      run: (argument, { isInteractive }) => executePreset(deps, argument, isInteractive),
    }),
  );
  return owned;
}
