// The code lenses of an input document: execute, history, presets, and the source of the schema.
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { InputSchema, InputSchemas } from '../../model/inputs/inputSchemas.ts';
import { offerCommand } from '../../editor/commands.ts';
import { schemes } from '../../editor/ids.ts';
import { inputTarget } from '../../ui/addresses.ts';

function schemaWords({ learnedFrom }: InputSchema): string {
  if (learnedFrom === null) return vscode.l10n.t('Checked by the schema of the trigger');
  return learnedFrom === 1
    ? vscode.l10n.t('Schema learned from 1 input')
    : vscode.l10n.t('Schema learned from {0} inputs', learnedFrom);
}

export function registerInputCodeLens(schemas: InputSchemas): Disposable {
  const owned = new DisposableStore();
  const changes = owned.add(new vscode.EventEmitter<void>());
  owned.add(schemas.onDidChange(() => changes.fire()));
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
          const lens = (command: vscode.Command) =>
            new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), command);
          return [
            lens(
              offerCommand(
                'workflow.execute',
                { ...target, inputUri: uri.toString() },
                {
                  title: vscode.l10n.t('$(play) Execute'),
                  tooltip: vscode.l10n.t('Execute the workflow with this input'),
                },
              ),
            ),
            lens(
              offerCommand('workflow.inputHistory', target, {
                title: vscode.l10n.t('History…'),
                tooltip: vscode.l10n.t('Take an input that was used before'),
              }),
            ),
            lens(
              offerCommand('workflow.inputPresets', target, {
                title: vscode.l10n.t('Presets…'),
                tooltip: vscode.l10n.t(
                  'Take an input from a file of the workspace, or save this one as such',
                ),
              }),
            ),
            ...(schema === undefined ? [] : [lens({ title: schemaWords(schema), command: '' })]),
          ];
        },
      },
    ),
  );
  return owned;
}
