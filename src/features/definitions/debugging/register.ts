// Debug sessions over recorded executions.
import * as vscode from 'vscode';
import { combine, type Disposable } from '../../../base/disposable.ts';
import type { WorkflowTarget } from '../../../domain/targets.ts';
import { deployedUri } from '../../../ui/addresses.ts';
import type { App } from '../../../ui/app.ts';
import { pickExecution } from '../../../ui/pickers/executionPicker.ts';
import type { DefinitionSnapshot } from '../files/definitionStore.ts';
import type { DrawnExecutions } from '../shownExecution/drawnExecutions.ts';
import { findEvaluatable } from './evaluatable.ts';
import { DebugSessions, type DebugSessionsDeps } from './sessions.ts';

class EvaluatableExpressions implements vscode.EvaluatableExpressionProvider {
  readonly #texts: App['definitionTexts'];

  constructor(texts: App['definitionTexts']) {
    this.#texts = texts;
  }

  provideEvaluatableExpression(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): vscode.EvaluatableExpression | undefined {
    const found = findEvaluatable(this.#texts.of(document), document.offsetAt(position));
    if (found === undefined) return undefined;
    const { start, end } = found.span;
    const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
    return new vscode.EvaluatableExpression(range, found.expression);
  }
}

export type DebuggingDeps = Omit<DebugSessionsDeps, 'findRan' | 'read' | 'openDeployed'> &
  Pick<App, 'commands' | 'debugging'>;

/** `read`: reads a definition into its document. */
export function registerDebugging(
  deps: DebuggingDeps,
  read: (
    target: WorkflowTarget,
  ) => Promise<{ readonly uri: vscode.Uri; readonly snapshot: DefinitionSnapshot }>,
  drawnExecutions: Pick<DrawnExecutions, 'findRan'>,
): Disposable {
  const open = async (target: WorkflowTarget) => {
    const { uri, snapshot } = await read(target);
    return { document: await vscode.workspace.openTextDocument(uri), workflow: snapshot.workflow };
  };
  const openDeployed = async (definition: vscode.Uri) =>
    vscode.workspace.openTextDocument(deployedUri(definition));
  const sessions = new DebugSessions({
    ...deps,
    read: open,
    openDeployed,
    findRan: (target) => drawnExecutions.findRan(target),
  });
  return combine(
    sessions,
    vscode.languages.registerEvaluatableExpressionProvider(
      { pattern: '**/*.workflow.json' },
      new EvaluatableExpressions(deps.definitionTexts),
    ),
    deps.debugging.attach(sessions),
    deps.commands.register('execution.debug', {
      ask: () => pickExecution(deps, vscode.l10n.t('Select an execution to debug')),
      run: async ({ stopAt, ...target }) => {
        await sessions.start(target, stopAt);
        return {};
      },
    }),
  );
}
