// Lists the failed nodes of the shown execution in the Problems panel.
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../../base/disposable.ts';
import { findNodeFailures } from './findNodeFailures.ts';
import type { OpenedDefinition, OpenedDefinitions } from './openedDefinitions.ts';

function toDiagnostics({ document, shown, positions }: OpenedDefinition): readonly vscode.Diagnostic[] {
  return findNodeFailures(shown, positions).map(({ offset, length, message }) => {
    const range = new vscode.Range(document.positionAt(offset), document.positionAt(offset + length));
    const diagnostic = new vscode.Diagnostic(range, message, vscode.DiagnosticSeverity.Error);
    diagnostic.source = 'Workflows';
    return diagnostic;
  });
}

export function registerNodeProblems(opened: OpenedDefinitions): Disposable {
  const owned = new DisposableStore();
  const collection = owned.add(vscode.languages.createDiagnosticCollection('workflowAutomation.inline'));
  owned.add(
    opened.onDidChange((definition) => collection.set(definition.document.uri, toDiagnostics(definition))),
  );
  owned.add(opened.onDidClose((uri) => collection.delete(uri)));
  return owned;
}
