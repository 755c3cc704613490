// Shows the result of the workflow's latest execution, or of the one that was chosen, in an open definition.
import * as vscode from 'vscode';
import { combine, type Disposable, DisposableStore } from '../../../base/disposable.ts';
import { type ChoosingDeps, registerChoosing } from './choosing.ts';
import { withoutReplaced } from '../inline/changedNodes.ts';
import type { LastRun, LastRuns } from './lastRuns.ts';
import { renderNodeFailures } from './renderLastRun.ts';

export function registerLastRun(lastRuns: LastRuns, deps: ChoosingDeps): Disposable {
  return combine(registerProblems(lastRuns), registerChoosing(deps));
}

/** Lists the failed nodes in the Problems panel. */
function registerProblems(lastRuns: LastRuns): Disposable {
  const owned = new DisposableStore();
  const collection = owned.add(vscode.languages.createDiagnosticCollection('workflowAutomation.inline'));
  owned.add(lastRuns.onDidChange((lastRun) => collection.set(lastRun.document.uri, toDiagnostics(lastRun))));
  owned.add(lastRuns.onDidClose((uri) => collection.delete(uri)));
  return owned;
}

function toDiagnostics({
  document,
  shown,
  nodes,
  positions,
  changes,
}: LastRun): readonly vscode.Diagnostic[] {
  const failures = renderNodeFailures(shown, nodes, withoutReplaced(positions, changes));
  return failures.map(({ offset, length, message }) => {
    const range = new vscode.Range(document.positionAt(offset), document.positionAt(offset + length));
    const diagnostic = new vscode.Diagnostic(range, message, vscode.DiagnosticSeverity.Error);
    diagnostic.source = 'Workflows';
    return diagnostic;
  });
}
