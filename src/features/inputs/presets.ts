// Presets are inputs in files that can be committed: choosing, saving and executing with them.
import * as vscode from 'vscode';
import { combine, type Disposable } from '../../base/disposable.ts';
import type { JsonObject } from '../../base/json.ts';
import type { WorkflowTarget } from '../../domain/targets.ts';
import { plainLine } from '../../base/format.ts';
import type { CommandArgument } from '../../editor/commands/types.ts';
import { statFile } from '../../editor/documents/workspaceFiles.ts';
import { PlainError } from '../../editor/plainError.ts';
import { confirm } from '../../editor/prompts/dialogs.ts';
import { askText, Cancelled, choose, chooseRow, type RowChoice } from '../../editor/prompts/prompts.ts';
import { parseInput, renderInput } from '../../model/inputs/inputText.ts';
import type { Workflows } from '../../model/workflows/workflows.ts';
import type { App } from '../../ui/app.ts';
import { pickWorkflow } from '../../ui/pickers/workflowPicker.ts';
import { positionOf } from '../../definition/jsonText.ts';
import type { Executor } from './execute.ts';
import type { InputDocuments } from './inputDocuments.ts';
import { findInputProblem } from './inputProblems.ts';
import {
  checkPresetPath,
  findPresets,
  type FolderChoice,
  folderChoices,
  isPresetFile,
  presetPath,
  readPreset,
  writePreset,
} from '../../ui/presetFiles.ts';

/** Selected in the input box, so that the user can type over it. */
const placeholderName = 'preset';

async function nameOf(workflows: Workflows, target: WorkflowTarget): Promise<string> {
  return (await workflows.get(target)).name;
}

type Choice = RowChoice<vscode.Uri | 'save', 'open'>;

/** Lets the user choose a preset, open one in an editor or, with a workflow, save the current input as one. */
async function choosePreset(workflowName: string | undefined): Promise<vscode.Uri | 'save' | 'opened'> {
  const found = await findPresets(workflowName);
  const choices = found.map(({ uri, name, place }): Choice => ({
    label: plainLine(name),
    description: plainLine(place),
    value: uri,
    actions: [{ name: 'open', icon: 'go-to-file', tooltip: vscode.l10n.t('Open the File') }],
  }));
  const placeholder =
    found.length === 0
      ? vscode.l10n.t('No presets in this workspace. Presets are *.input.json files.')
      : vscode.l10n.t('Select a preset');
  const save: Choice = { icon: 'save', label: vscode.l10n.t('Save Input as Preset…'), value: 'save' };
  const { value, action } = await chooseRow(
    placeholder,
    workflowName === undefined ? choices : [...choices, save],
  );
  if (value === 'save' || action === undefined) return value;
  await vscode.window.showTextDocument(value);
  return 'opened';
}

async function askFolder(): Promise<FolderChoice> {
  const choices = folderChoices();
  const [first, ...others] = choices;
  if (first !== undefined && others.length === 0) return first;
  return choose(
    vscode.l10n.t('Select a folder'),
    choices.map((choice) => ({
      label: choice.label,
      description: plainLine(choice.value.uri.fsPath),
      value: choice,
    })),
  );
}

/** Asks for the path, writes the text to it and returns its URI. */
export async function savePresetAs(
  workflows: Workflows,
  target: WorkflowTarget,
  text: string,
): Promise<vscode.Uri> {
  const folder = await askFolder();
  const value = presetPath(await nameOf(workflows, target), placeholderName);
  const begin = value.lastIndexOf(placeholderName);
  const path = await askText({
    prompt: vscode.l10n.t('File name of the preset in "{0}"', folder.label),
    value,
    selection: [begin, begin + placeholderName.length],
    validate: checkPresetPath,
  });
  const uri = vscode.Uri.joinPath(folder.value.uri, ...path.split(/[\\/]/));
  if (await statFile(uri))
    await confirm(
      vscode.l10n.t('Replace "{0}"?', plainLine(path)),
      vscode.l10n.t('Replace'),
      vscode.l10n.t('A preset with this name already exists. Its content will be overwritten.'),
    );
  await writePreset(uri, text);
  return uri;
}

/** Returns the input of a preset, parsed and as written. Throws a PlainError with the line of the first problem if it isn't valid. */
async function readInput(
  fileUri: vscode.Uri,
): Promise<{ readonly input: JsonObject; readonly text: string }> {
  const { name, text } = await readPreset(fileUri);
  const input = parseInput(text);
  if (input !== undefined) return { input, text };
  const { offset, message } = findInputProblem(text) ?? { offset: 0, message: '' };
  throw new PlainError(
    vscode.l10n.t('"{0}" isn\'t a valid input. Line {1}: {2}', name, positionOf(text, offset).line, message),
  );
}

type PresetCommandsDeps = Pick<
  App,
  'clock' | 'commands' | 'connections' | 'logger' | 'presetChoices' | 'workflows'
>;

/** The commands that change an input document or a preset. */
function registerLoadingAndSaving(deps: PresetCommandsDeps, documents: InputDocuments): Disposable {
  const { commands, workflows } = deps;
  /** Saves the current text of the workflow's input document. */
  const saveDocument = async (target: WorkflowTarget): Promise<vscode.Uri> => {
    const text = (await documents.open(target)).getText();
    if (parseInput(text) === undefined)
      throw new PlainError(vscode.l10n.t("The input isn't a valid JSON object. Nothing was saved."));
    return savePresetAs(workflows, target, text);
  };
  return combine(
    commands.register('workflow.inputPresets', {
      ask: () => pickWorkflow(deps),
      run: async (target, { isInteractive }) => {
        const workflowName = await nameOf(workflows, target);
        if (!isInteractive)
          return (await findPresets(workflowName)).map(({ uri, name }) => ({ name, uri: uri.toString() }));
        const picked = await choosePreset(workflowName);
        if (picked === 'save') await saveDocument(target);
        else if (picked !== 'opened') await documents.put(target, (await readInput(picked)).text, true);
        return undefined;
      },
    }),
    commands.register('workflow.saveInputPreset', {
      ask: () => pickWorkflow(deps),
      run: async ({ input, fileUri, ...target }, { isInteractive }) => {
        if (isInteractive || input === undefined || fileUri === undefined)
          return { fileUri: (await saveDocument(target)).toString() };
        const uri = vscode.Uri.parse(fileUri, true);
        if (!isPresetFile(uri))
          throw new TypeError('fileUri is no *.input.json of a folder of the workspace.');
        await writePreset(uri, renderInput(input));
        return { fileUri };
      },
    }),
  );
}

async function askPreset(): Promise<CommandArgument<'preset.execute'>> {
  const picked = await choosePreset(undefined);
  if (typeof picked === 'string') throw new Cancelled();
  return { fileUri: picked.toString(), connectionId: '' };
}

function registerExecution(deps: PresetCommandsDeps, executor: Executor): Disposable {
  const { commands, workflows, presetChoices, logger } = deps;
  return commands.register('preset.execute', {
    ask: askPreset,
    run: async ({ fileUri, connectionId, workflowId }, { isInteractive }) => {
      const { input } = await readInput(vscode.Uri.parse(fileUri, true));
      const target = workflowId === undefined ? await pickWorkflow(deps) : { connectionId, workflowId };
      presetChoices
        .remember({ ...target, fileUri, workflowName: await nameOf(workflows, target) })
        .catch((error: unknown) =>
          logger.warn(`The workflow of a preset can't be remembered: ${String(error)}`),
        );
      return executor.execute(target, input, { isInteractive });
    },
  });
}

export function registerPresetCommands(
  deps: PresetCommandsDeps,
  executor: Executor,
  documents: InputDocuments,
): Disposable {
  return combine(registerLoadingAndSaving(deps, documents), registerExecution(deps, executor));
}
