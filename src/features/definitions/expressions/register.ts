// Shows what the expressions of a definition gave, and evaluates them anew.
import * as vscode from 'vscode';
import { once } from '../../../base/async.ts';
import { combine, type Disposable } from '../../../base/disposable.ts';
import { withSignal } from '../../../editor/documents/documents.ts';
import { definitionSelector } from '../../../editor/ids.ts';
import { onDidChange, settings } from '../../../editor/settings.ts';
import type { App } from '../../../ui/app.ts';
import { pickWorkflow } from '../../../ui/pickers/workflowPicker.ts';
import type { ReadDefinition } from '../files/openDefinitions.ts';
import type { DrawnExecution, DrawnExecutions } from '../shownExecution/drawnExecutions.ts';
import type { createExpressionHelp, ExpressionHelpDeps } from './expressionHelp.ts';

export type ExpressionsDeps = ExpressionHelpDeps & Pick<App, 'clock' | 'commands' | 'connections'>;

type LoadHelp = () => Promise<ReturnType<typeof createExpressionHelp>>;

export function registerExpressions(
  drawnExecutions: DrawnExecutions,
  deps: ExpressionsDeps,
  read: ReadDefinition,
): Disposable {
  const changes = new vscode.EventEmitter<void>();
  const announce = (): void => changes.fire();
  const load: LoadHelp = once(async () => {
    const help = await import('./expressionHelp.ts');
    return help.createExpressionHelp(drawnExecutions, deps, announce);
  });
  return combine(
    changes,
    onDidChangeData(drawnExecutions, announce),
    deps.workflows.onDidChangeItems(announce),
    onDidChange(settings.showExecution, announce),
    registerHints(load, changes.event),
    registerHover(load),
    registerCommand(load, deps, read),
  );
}

/** Calls back when expressions may have given something else. After a change of the text the editor asks anyway. */
function onDidChangeData(drawnExecutions: DrawnExecutions, listener: () => void): Disposable {
  const known = new WeakMap<vscode.TextDocument, DrawnExecution>();
  return drawnExecutions.onDidChange((drawn) => {
    const before = known.get(drawn.document);
    known.set(drawn.document, drawn);
    if (before?.shown !== drawn.shown || before.ran !== drawn.ran) listener();
  });
}

function registerHints(load: LoadHelp, onDidChangeInlayHints: vscode.Event<void>): Disposable {
  return vscode.languages.registerInlayHintsProvider(definitionSelector, {
    onDidChangeInlayHints,
    provideInlayHints: (document, range, token) =>
      withSignal(
        token,
        async (signal) => (await load()).listHints(document, range, signal),
        new vscode.CancellationError(),
      ),
    resolveInlayHint: async (hint) => (await load()).resolveHint(hint),
  });
}

function registerHover(load: LoadHelp): Disposable {
  return vscode.languages.registerHoverProvider(definitionSelector, {
    provideHover: (document, position, token) =>
      withSignal(
        token,
        async (signal) => (await load()).explain(document, position, signal),
        new vscode.CancellationError(),
      ),
  });
}

function registerCommand(load: LoadHelp, deps: ExpressionsDeps, read: ReadDefinition): Disposable {
  const ending = new AbortController();
  return combine(
    { dispose: () => ending.abort() },
    deps.commands.register('workflow.evaluateExpression', {
      ask: () => pickWorkflow(deps),
      run: async ({ expression, nodeId, path, executionId, ...target }) => {
        const uri = deps.definitionTargets.findOpen(target)?.uri ?? (await read(target)).uri;
        const document = await vscode.workspace.openTextDocument(uri);
        const help = await load();
        if (expression !== undefined)
          return help.evaluateForCode(document, { target, expression, nodeId, executionId }, ending.signal);
        const editor = await vscode.window.showTextDocument(document, { preview: false });
        await help.evaluateInText(editor, { nodeId, path }, ending.signal);
        return undefined;
      },
    }),
  );
}
