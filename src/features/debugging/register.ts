// Debug sessions over recorded executions.
import * as vscode from 'vscode';
import { combine, type Disposable } from '../../base/disposable.ts';
import type { ExecutionTarget } from '../../domain/targets.ts';
import { rangeOfSpan } from '../../editor/documents/documents.ts';
import { definitionSelector } from '../../editor/ids.ts';
import type { App } from '../../ui/app.ts';
import { ranDefinitionUri } from '../../ui/executionUris.ts';
import { openDefinition } from '../../ui/pickers/openDefinition.ts';
import { pickExecution } from '../../ui/pickers/executionPicker.ts';
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
    return found && new vscode.EvaluatableExpression(rangeOfSpan(document, found.span), found.expression);
  }
}

type DebuggingDeps = Omit<DebugSessionsDeps, 'read' | 'openRan'> &
  Pick<App, 'commands' | 'debugging' | 'definitionFiles' | 'definitionTargets'>;

export function registerDebugging(deps: DebuggingDeps): Disposable {
  const openRan = async (target: ExecutionTarget) =>
    vscode.workspace.openTextDocument(ranDefinitionUri(deps, target));
  const sessions = new DebugSessions({
    ...deps,
    read: (target) => openDefinition(deps, target),
    openRan,
  });
  return combine(
    sessions,
    vscode.languages.registerEvaluatableExpressionProvider(
      definitionSelector,
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
