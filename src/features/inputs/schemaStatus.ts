// What an input is validated against, in words and in the language status.
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { schemes } from '../../editor/ids.ts';
import type { InputSchema, InputSchemas } from '../../model/inputs/inputSchemas.ts';
import { inputTarget } from '../../ui/addresses.ts';
import type { InputValidation } from './inputValidation.ts';
import type { Unvalidated } from './jsonLanguages.ts';

/** `whyNot`: why the input isn't validated, if it isn't. */
export function schemaWords({ isOpen, learnedFrom }: InputSchema, whyNot: Unvalidated | undefined): string {
  if (whyNot !== undefined) return unvalidatedWords(whyNot);
  if (isOpen === true) return vscode.l10n.t('Any JSON object is valid');
  if (learnedFrom === null) return vscode.l10n.t("Validated against the trigger's schema");
  return learnedFrom === 1
    ? vscode.l10n.t('Schema inferred from 1 past input')
    : vscode.l10n.t('Schema inferred from {0} past inputs', learnedFrom);
}

function unvalidatedWords(because: Unvalidated): string {
  switch (because) {
    case 'longInput':
      return vscode.l10n.t('Not validated here: the input is too long');
    case 'largeSchema':
      return vscode.l10n.t("Not validated here: the trigger's schema is too large");
    case 'failed':
      return vscode.l10n.t("Not validated here: it can't be done, or takes too long");
  }
}

/** Shows in the language status of an input what its lens says, or that only a JSON object is asked for. */
export function registerSchemaStatus(schemas: InputSchemas, validation: InputValidation): Disposable {
  const owned = new DisposableStore();
  const item = owned.add(
    vscode.languages.createLanguageStatusItem('workflowAutomation.inputSchema', { scheme: schemes.input }),
  );
  item.name = vscode.l10n.t('Input Schema');
  const update = (): void => {
    const uri = vscode.window.activeTextEditor?.document.uri;
    const target = uri && inputTarget(uri);
    if (uri === undefined || target === undefined) return;
    const schema = schemas.known(target);
    const whyNot = schema && validation.whyNot(uri);
    item.text =
      schema === undefined
        ? vscode.l10n.t('No schema: any JSON object is valid')
        : schemaWords(schema, whyNot);
    const { Information, Warning } = vscode.LanguageStatusSeverity;
    item.severity = whyNot === undefined ? Information : Warning;
    item.detail = whyNot === undefined ? '' : vscode.l10n.t('The service validates it.');
  };
  owned.add(vscode.window.onDidChangeActiveTextEditor(update));
  owned.add(schemas.onDidChange(update));
  owned.add(validation.onDidChange(update));
  update();
  return owned;
}
