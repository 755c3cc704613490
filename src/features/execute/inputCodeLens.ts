// Why: the line above the input: execute it from where it is written.
import * as vscode from 'vscode';
import { commandId, schemes } from '../../platform/ids.ts';
import { inputTarget } from './inputUri.ts';

export function registerInputCodeLens(): vscode.Disposable {
  return vscode.languages.registerCodeLensProvider(
    { scheme: schemes.input },
    {
      provideCodeLenses: ({ uri }) => {
        const target = inputTarget(uri);
        if (target === undefined) return [];
        const top = new vscode.Range(0, 0, 0, 0);
        return [
          new vscode.CodeLens(top, {
            title: vscode.l10n.t('$(play) Execute'),
            tooltip: vscode.l10n.t('Execute the workflow with this input'),
            command: commandId('workflow.execute'),
            arguments: [{ ...target, isTreeElement: true, inputUri: uri.toString() }],
          }),
        ];
      },
    },
  );
}
