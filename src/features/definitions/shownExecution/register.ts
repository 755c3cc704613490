// Shows within an open definition, node by node, what its latest execution did, or the one that was selected.
import * as vscode from 'vscode';
import { combine, type Disposable, DisposableStore } from '../../../base/disposable.ts';
import { toggleShowExecution } from '../../../editor/settings.ts';
import { withoutReplaced } from './changedNodes.ts';
import { registerDecorations } from './decorations.ts';
import type { DrawnExecution, DrawnExecutions } from './drawnExecutions.ts';
import { renderNodeFailures } from './renderNodeFailures.ts';
import { registerSelecting, type SelectingDeps } from './selecting.ts';

export function registerShownExecution(drawnExecutions: DrawnExecutions, deps: SelectingDeps): Disposable {
  return combine(
    registerProblems(drawnExecutions),
    registerDecorations(drawnExecutions),
    registerSelecting(drawnExecutions, deps),
    deps.commands.registerPlain('definitions.toggleExecution', async () => ({
      isShown: await toggleShowExecution(),
    })),
  );
}

/** Lists the failed nodes in the Problems panel. */
function registerProblems(drawnExecutions: DrawnExecutions): Disposable {
  const owned = new DisposableStore();
  const collection = owned.add(vscode.languages.createDiagnosticCollection('workflowAutomation.inline'));
  owned.add(drawnExecutions.onDidChange((drawn) => collection.set(drawn.document.uri, toDiagnostics(drawn))));
  owned.add(drawnExecutions.onDidClose((uri) => collection.delete(uri)));
  return owned;
}

function toDiagnostics({
  document,
  shown,
  nodes,
  positions,
  changes,
}: DrawnExecution): readonly vscode.Diagnostic[] {
  const failures = renderNodeFailures(shown, nodes, withoutReplaced(positions, changes));
  return failures.map(({ offset, length, message, isHandled }) => {
    const range = new vscode.Range(document.positionAt(offset), document.positionAt(offset + length));
    const { Error, Information } = vscode.DiagnosticSeverity;
    const diagnostic = new vscode.Diagnostic(range, message, isHandled ? Information : Error);
    diagnostic.source = 'Workflows';
    return diagnostic;
  });
}
