// The code lenses above an input document and above a preset file.
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { WorkflowTarget } from '../../domain/targets.ts';
import { offerCommand } from '../../editor/commands.ts';
import { plainLine, withoutIcons } from '../../base/format.ts';
import { schemes } from '../../editor/ids.ts';
import { inputTarget } from '../../ui/addresses.ts';
import type { App } from '../../ui/app.ts';
import { unarchiveCommand } from '../../ui/unarchive.ts';
import type { InputValidation } from './inputValidation.ts';
import { isPresetFile } from '../../ui/presetFiles.ts';
import { schemaWords } from './schemaStatus.ts';

/** On the first line of the document. */
function lens(command: vscode.Command): vscode.CodeLens {
  return new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), command);
}

function executeCommand(target: WorkflowTarget, uri: vscode.Uri): vscode.Command {
  return offerCommand(
    'workflow.execute',
    { ...target, inputUri: uri.toString() },
    {
      title: vscode.l10n.t('$(play) Execute'),
      tooltip: vscode.l10n.t('Execute the workflow with this input'),
    },
  );
}

/** Another trigger is chosen where the last one is named. */
function triggerCommand(target: WorkflowTarget, uri: vscode.Uri, trigger: string): vscode.Command {
  return offerCommand(
    'workflow.execute',
    { ...target, inputUri: uri.toString(), asksTrigger: true },
    {
      title: vscode.l10n.t('Begins at "{0}"…', withoutIcons(plainLine(trigger, 40))),
      tooltip: vscode.l10n.t('Execute the workflow from another trigger'),
    },
  );
}

/** Offers to execute, the history and the presets, and shows the source of the schema. */
export function registerInputCodeLens(
  { drafts, schemas, workflows }: Pick<App, 'drafts' | 'schemas' | 'workflows'>,
  validation: InputValidation,
): Disposable {
  const owned = new DisposableStore();
  const changes = owned.add(new vscode.EventEmitter<void>());
  owned.add(schemas.onDidChange(() => changes.fire()));
  owned.add(validation.onDidChange(() => changes.fire()));
  owned.add(workflows.onDidChangeItems(() => changes.fire()));
  owned.add(
    vscode.languages.registerCodeLensProvider(
      { scheme: schemes.input },
      {
        onDidChangeCodeLenses: changes.event,
        provideCodeLenses: ({ uri }) => {
          const target = inputTarget(uri);
          if (target === undefined) return [];
          // The lenses don't wait for a slow service: the schema lens is added later.
          const schema = schemas.known(target);
          void schemas.find(target);
          const trigger = drafts.trigger(target);
          const isArchived = workflows.find(target)?.isArchived === true;
          return [
            lens(isArchived ? unarchiveCommand(target) : executeCommand(target, uri)),
            ...(isArchived || trigger === undefined ? [] : [lens(triggerCommand(target, uri, trigger))]),
            lens(
              offerCommand('workflow.inputHistory', target, {
                title: vscode.l10n.t('History…'),
                tooltip: vscode.l10n.t('Use a past input'),
              }),
            ),
            lens(
              offerCommand('workflow.inputPresets', target, {
                title: vscode.l10n.t('Presets…'),
                tooltip: vscode.l10n.t('Use an input from a file in the workspace, or save this one'),
              }),
            ),
            ...(schema === undefined
              ? []
              : [lens({ title: schemaWords(schema, validation.whyNot(uri)), command: '' })]),
          ];
        },
      },
    ),
  );
  return owned;
}

type PresetCodeLensDeps = Pick<App, 'connections' | 'presetChoices' | 'presetLenses'>;

/** Offers to execute the last workflow with the preset, or to choose another. */
export function registerPresetCodeLens(deps: PresetCodeLensDeps): Disposable {
  const { connections, presetChoices, presetLenses } = deps;
  const owned = new DisposableStore();
  const changes = owned.add(new vscode.EventEmitter<void>());
  owned.add(presetChoices.onDidChange(() => changes.fire()));
  owned.add(connections.all.onDidChange(() => changes.fire()));
  owned.add(
    presetLenses.attach({
      onDidChangeCodeLenses: changes.event,
      provideCodeLenses: ({ uri }) => {
        if (!isPresetFile(uri)) return [];
        const fileUri = uri.toString();
        const other = lens(
          offerCommand('preset.execute', { fileUri }, { title: vscode.l10n.t('$(play) Execute with…') }),
        );
        const last = presetChoices.find(fileUri);
        if (last === undefined || connections.find(last.connectionId) === undefined) return [other];
        const { connectionId, workflowId } = last;
        const name = withoutIcons(plainLine(last.workflowName, 60));
        const title = vscode.l10n.t('$(play) Execute "{0}"', name);
        return [
          lens(offerCommand('preset.execute', { connectionId, workflowId, fileUri }, { title })),
          other,
        ];
      },
    }),
  );
  return owned;
}
