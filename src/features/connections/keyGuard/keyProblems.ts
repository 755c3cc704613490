// Marks API keys in open documents, since other users may get to read the file, and offers to move them.
import * as vscode from 'vscode';
import { combine, type Disposable } from '../../../base/disposable.ts';
import { settings } from '../../../editor/settings.ts';
import type { Clock } from '../../../base/time.ts';
import { offerCommand } from '../../../editor/commands.ts';
import { findDocument } from '../../../editor/documents.ts';
import type { App } from '../../../ui/app.ts';
import { guardedText, OpenTexts } from '../../../editor/openTexts.ts';
import { findKeys, maskKey } from '../../../base/secrets.ts';

/** The code of these diagnostics, which the quick fix looks for. */
const problemCode = 'apiKeyInText';

function findProblems(document: vscode.TextDocument): vscode.Diagnostic[] {
  const prefix = settings.keyPrefix();
  const text = guardedText(document);
  return findKeys(text, prefix).map(({ offset, length }) => {
    const range = new vscode.Range(document.positionAt(offset), document.positionAt(offset + length));
    const masked = maskKey(text.slice(offset, offset + length), prefix);
    const problem = new vscode.Diagnostic(
      range,
      vscode.l10n.t(
        'This looks like an API key ({0}). Anyone who can read this document can use it.',
        masked,
      ),
      vscode.DiagnosticSeverity.Warning,
    );
    problem.source = 'Workflows';
    problem.code = problemCode;
    return problem;
  });
}

function createQuickFix(document: vscode.TextDocument, problem: vscode.Diagnostic): vscode.CodeAction {
  const fix = new vscode.CodeAction(vscode.l10n.t('Move to secret storage…'), vscode.CodeActionKind.QuickFix);
  fix.diagnostics = [problem];
  fix.isPreferred = true;
  const place = { uri: document.uri.toString(), offset: document.offsetAt(problem.range.start) };
  fix.command = offerCommand('keyGuard.moveKey', place, { title: fix.title });
  return fix;
}

/** Keeps the diagnostics of the open documents. */
function markKeys(clock: Clock): Disposable {
  const collection = vscode.languages.createDiagnosticCollection('workflowAutomation.keys');
  return combine(
    collection,
    vscode.workspace.onDidCloseTextDocument(({ uri }) => {
      // A new untitled document may already use the same URI.
      if (findDocument(uri) === undefined) collection.delete(uri);
    }),
    new OpenTexts(clock, {
      look: (documents) => {
        for (const document of documents) collection.set(document.uri, findProblems(document));
      },
      forget: () => collection.clear(),
    }),
  );
}

export function registerKeyProblems({ clock }: Pick<App, 'clock'>): Disposable {
  return combine(
    markKeys(clock),
    vscode.languages.registerCodeActionsProvider(
      '*',
      {
        provideCodeActions: (document, _range, { diagnostics }) =>
          diagnostics
            .filter(({ code }) => code === problemCode)
            .map((problem) => createQuickFix(document, problem)),
      },
      { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
    ),
  );
}
