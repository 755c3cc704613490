// Lets the user choose and save presets, which are files that can be committed.
import * as vscode from 'vscode';
import type { WorkflowTarget } from '../../../domain/targets.ts';
import type { Workflows } from '../../../model/workflows/workflows.ts';
import { askText, choose, chooseRow, confirm, type RowChoice } from '../../../editor/prompts.ts';
import { plainLine } from '../../../editor/format.ts';
import {
  checkPresetPath,
  exists,
  findPresets,
  type FolderChoice,
  folderChoices,
  presetPath,
  writePreset,
} from './presetFiles.ts';

export interface Presets {
  /** Lets the user choose a preset, open one in an editor or, with a workflow, save the current input as one. */
  ask(target: WorkflowTarget | undefined): Promise<PresetPicked>;
  /** Asks for the path, writes the text to it and returns its URI. */
  askAndSave(target: WorkflowTarget, text: string): Promise<vscode.Uri>;
}

type PresetPicked =
  | { readonly kind: 'load'; readonly uri: vscode.Uri }
  | { readonly kind: 'save' }
  | { readonly kind: 'opened' };

/** Selected in the input box, so that the user can type over it. */
const placeholderName = 'preset';

type Choice = RowChoice<vscode.Uri | 'save', 'open'>;

async function askFolder(): Promise<FolderChoice> {
  const choices = folderChoices();
  const [first, ...others] = choices;
  if (first !== undefined && others.length === 0) return first;
  return choose(
    vscode.l10n.t('In which folder?'),
    choices.map((choice) => ({
      label: choice.label,
      description: plainLine(choice.value.uri.fsPath),
      value: choice,
    })),
  );
}

export function createPresets(workflows: Workflows): Presets {
  const nameOf = async (target: WorkflowTarget): Promise<string> =>
    (workflows.find(target) ?? (await workflows.read(target))).name;

  return Object.freeze<Presets>({
    async ask(target) {
      const found = await findPresets(target === undefined ? undefined : await nameOf(target));
      const choices = found.map(({ uri, name, place }): Choice => ({
        label: plainLine(name),
        description: plainLine(place),
        value: uri,
        actions: [{ name: 'open', icon: 'go-to-file', tooltip: vscode.l10n.t('Open the File') }],
      }));
      const placeholder =
        found.length === 0
          ? vscode.l10n.t('No presets yet: they are files that end in ".input.json"')
          : vscode.l10n.t('Choose a preset');
      const save: Choice = { icon: 'save', label: vscode.l10n.t('Save the Input as Preset…'), value: 'save' };
      const { value, action } = await chooseRow(
        placeholder,
        target === undefined ? choices : [...choices, save],
      );
      if (value === 'save') return { kind: 'save' };
      if (action === undefined) return { kind: 'load', uri: value };
      await vscode.window.showTextDocument(value);
      return { kind: 'opened' };
    },
    async askAndSave(target, text) {
      const folder = await askFolder();
      const value = presetPath(await nameOf(target), placeholderName);
      const begin = value.lastIndexOf(placeholderName);
      const path = await askText({
        prompt: vscode.l10n.t('Save the preset as, in "{0}"', folder.label),
        value,
        selection: [begin, begin + placeholderName.length],
        validate: checkPresetPath,
      });
      const uri = vscode.Uri.joinPath(folder.value.uri, ...path.split(/[\\/]/));
      if (await exists(uri))
        await confirm(
          vscode.l10n.t('"{0}" is there already.', plainLine(path)),
          { icon: 'replace', label: vscode.l10n.t('Replace It') },
          vscode.l10n.t('Escape keeps it as it is.'),
        );
      await writePreset(uri, text);
      return uri;
    },
  });
}
