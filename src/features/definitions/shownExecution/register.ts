// Shows within an open definition, node by node, what its latest execution did, or the one that was selected.
import * as vscode from 'vscode';
import { combine, type Disposable, DisposableStore } from '../../../base/disposable.ts';
import { toggleShowExecution } from '../../../editor/settings.ts';
import { withoutReplaced } from './changedNodes.ts';
import { registerDecorations } from './decorations.ts';
import type { LastRun, LastRuns } from './lastRuns.ts';
import { renderNodeFailures } from './renderLastRun.ts';
import { registerSelecting, type SelectingDeps } from './selecting.ts';

export function registerShownExecution(lastRuns: LastRuns, deps: SelectingDeps): Disposable {
  return combine(
    registerProblems(lastRuns),
    registerDecorations(lastRuns),
    registerSelecting(lastRuns, deps),
    deps.commands.registerPlain('definitions.toggleExecution', async () => ({
      isShown: await toggleShowExecution(),
    })),
  );
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
