// Marks API keys in open documents with a diagnostic, since other users may get to read the file.
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../../base/disposable.ts';
import { findKeys, maskKey } from '../../../base/secrets.ts';
import { settings } from '../../../editor/settings.ts';
import type { Clock } from '../../../base/time.ts';
import { guardedText, readOpenTexts } from './openTexts.ts';

/** The code of these diagnostics, which the quick fix looks for. */
export const problemCode = 'apiKeyInText';

function findProblems(document: vscode.TextDocument): vscode.Diagnostic[] {
  const prefix = settings.keyPrefix();
  const text = guardedText(document);
  return findKeys(text, prefix).map(({ offset, length }) => {
    const range = new vscode.Range(document.positionAt(offset), document.positionAt(offset + length));
    const masked = maskKey(text.slice(offset, offset + length), prefix);
    const problem = new vscode.Diagnostic(
      range,
      vscode.l10n.t('This looks like an API key ({0}). Who can read this text can use it.', masked),
      vscode.DiagnosticSeverity.Warning,
    );
    problem.source = 'Workflows';
    problem.code = problemCode;
    return problem;
  });
}

export function createKeyProblems(clock: Pick<Clock, 'schedule'>): Disposable {
  const owned = new DisposableStore();
  const collection = owned.add(vscode.languages.createDiagnosticCollection('workflowAutomation.keys'));
  const look = (documents: readonly vscode.TextDocument[]): void => {
    for (const document of documents) collection.set(document.uri, findProblems(document));
  };
  const forget = (): void => collection.clear();
  owned.add(
    vscode.workspace.onDidCloseTextDocument((document) => {
      // A new untitled document may already use the same URI.
      const address = document.uri.toString();
      if (!vscode.workspace.textDocuments.some(({ uri }) => uri.toString() === address))
        collection.delete(document.uri);
    }),
  );
  owned.add(readOpenTexts(clock, { look, forget }));
  return owned;
}
