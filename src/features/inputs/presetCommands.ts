// The commands that load and save presets, and execute a workflow with a preset.
import * as vscode from 'vscode';
import { combine, type Disposable } from '../../base/disposable.ts';
import type { JsonObject } from '../../base/json.ts';
import { parseInput, renderInput } from '../../model/inputs/inputText.ts';
import type { WorkflowTarget } from '../../domain/targets.ts';
import { pickWorkflow } from '../../ui/pickers/workflowPicker.ts';
import { lineOf } from '../../ui/words/describeJsonError.ts';
import { Cancelled } from '../../editor/prompts.ts';
import type { Executor } from './execute.ts';
import { findInputProblems } from './inputProblems.ts';
import { findPresets, isPresetFile, readPreset, writePreset } from './presets/presetFiles.ts';
import type { Presets } from './presets/presets.ts';
import { PlainError } from '../../editor/plainError.ts';
import type { App } from '../../ui/app.ts';
import type { InputDocuments } from './inputDocuments.ts';
import { inputTarget } from '../../ui/addresses.ts';

export interface PresetCommandsDeps extends Pick<
  App,
  'clock' | 'commands' | 'connections' | 'logger' | 'presetChoices' | 'workflows'
> {
  readonly presets: Presets;
  readonly documents: InputDocuments;
}

/** Returns the input of a preset, parsed and as written. Throws a PlainError with the line of the first problem if it isn't valid. */
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

/** Saves the current text of the workflow's input document. */
async function saveDocument({ documents, presets }: PresetCommandsDeps, target: WorkflowTarget) {
  const text = (await documents.open(target)).getText();
  if (parseInput(text) === undefined)
    throw new PlainError(vscode.l10n.t('The input is not a valid JSON object. Nothing was saved.'));
  return presets.askAndSave(target, text);
}

function registerChoosing(deps: PresetCommandsDeps): Disposable {
  return deps.commands.register('workflow.inputPresets', {
    fromDocument: inputTarget,
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
    fromDocument: inputTarget,
    ask: () => deps.documents.askTarget(),
    run: async ({ input, fileUri, ...target }, { isInteractive }) => {
      if (isInteractive || input === undefined || fileUri === undefined)
        return { fileUri: (await saveDocument(deps, target)).toString() };
      const uri = vscode.Uri.parse(fileUri, true);
      if (!isPresetFile(uri)) throw new TypeError('fileUri is no *.input.json of a folder of the workspace.');
      await writePreset(uri, renderInput(input));
      return { fileUri };
    },
  });
}

/** A preset and, from its lens or from code, the workflow to execute with it. */
interface PresetArgument extends Partial<WorkflowTarget> {
  readonly fileUri: string;
}

/** Returns the preset in the active editor, or else one that the user chooses. */
async function askPreset({ presets }: PresetCommandsDeps): Promise<PresetArgument> {
  const active = vscode.window.activeTextEditor?.document.uri;
  if (active !== undefined && isPresetFile(active)) return { fileUri: active.toString() };
  const picked = await presets.ask(undefined);
  if (picked.kind !== 'load') throw new Cancelled();
  return { fileUri: picked.uri.toString() };
}

function registerExecution(deps: PresetCommandsDeps, executor: Executor): Disposable {
  const { commands, workflows, presetChoices, logger } = deps;
  return commands.register<'preset.execute', PresetArgument>('preset.execute', {
    fromDocument: (uri) => ({ fileUri: uri.toString() }),
    ask: () => askPreset(deps),
    run: async (argument, { isInteractive }) => {
      const { fileUri, connectionId = '', workflowId } = argument;
      const { input } = await readInput(vscode.Uri.parse(fileUri, true));
      const target = workflowId === undefined ? await pickWorkflow(deps) : { connectionId, workflowId };
      const workflow = workflows.find(target) ?? (await workflows.read(target));
      const choice = { ...target, fileUri, workflowName: workflow.name };
      presetChoices
        .remember(choice)
        .catch((error: unknown) =>
          logger.warn(`The workflow of a preset can't be remembered: ${String(error)}`),
        );
      return executor.execute(target, input, isInteractive);
    },
  });
}

export function registerPresetCommands(deps: PresetCommandsDeps, executor: Executor): Disposable {
  return combine(registerChoosing(deps), registerSaving(deps), registerExecution(deps, executor));
}
