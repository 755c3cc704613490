import * as vscode from 'vscode';
import { PlainError } from '../editor/plainError.ts';

/** Of a document's text that isn't the JSON object that would be sent. */
export function notSent(what: 'definition' | 'input'): PlainError {
  return new PlainError(
    what === 'input'
      ? vscode.l10n.t("The input isn't a valid JSON object. Not sent: fix the errors in the document.")
      : vscode.l10n.t("The definition isn't a valid JSON object. Not sent: fix the errors in the document."),
  );
}
