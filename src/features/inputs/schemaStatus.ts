// What an input is validated against, in words and in the language status.
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { schemes } from '../../editor/ids.ts';
import type { InputSchema, InputSchemas } from '../../model/inputs/inputSchemas.ts';
import { inputTarget } from '../../ui/addresses.ts';

export function schemaWords({ learnedFrom }: InputSchema): string {
  if (learnedFrom === null) return vscode.l10n.t("Validated against the trigger's schema");
  return learnedFrom === 1
    ? vscode.l10n.t('Schema inferred from 1 past input')
    : vscode.l10n.t('Schema inferred from {0} past inputs', learnedFrom);
}

/** Shows in the language status of an input what its lens says, or that only a JSON object is asked for. */
export function registerSchemaStatus(schemas: InputSchemas): Disposable {
  const owned = new DisposableStore();
  const item = owned.add(
    vscode.languages.createLanguageStatusItem('workflowAutomation.inputSchema', { scheme: schemes.input }),
  );
  item.name = vscode.l10n.t('Input Schema');
  const update = (): void => {
    const uri = vscode.window.activeTextEditor?.document.uri;
    const target = uri && inputTarget(uri);
    if (target === undefined) return;
    const schema = schemas.known(target);
    item.text =
      schema === undefined ? vscode.l10n.t('No schema: any JSON object is valid') : schemaWords(schema);
  };
  owned.add(vscode.window.onDidChangeActiveTextEditor(update));
  owned.add(schemas.onDidChange(update));
  update();
  return owned;
}
