// Quick fixes for what our own check finds in definitions.
import * as vscode from 'vscode';
import type { Disposable } from '../../../base/disposable.ts';
import type { App } from '../../../ui/app.ts';
import { type DefinitionProblems, toDiagnostic } from './definitionProblems.ts';
import type { Edit } from './jsonEdits.ts';
import { findMendings, type Mending } from './mendings.ts';

export function registerQuickFixes(
  { definitionTexts }: Pick<App, 'definitionTexts'>,
  problems: DefinitionProblems,
): Disposable {
  return vscode.languages.registerCodeActionsProvider(
    { pattern: '**/*.workflow.json' },
    {
      provideCodeActions: (document, range) => {
        const text = definitionTexts.of(document);
        const actions = problems.list(document).flatMap((problem) => {
          const diagnostic = toDiagnostic(document, problem);
          if (problem.fault === undefined || diagnostic.range.intersection(range) === undefined) return [];
          return findMendings(text, problem.fault).map((mending) => toAction(document, diagnostic, mending));
        });
        // Several faults of a node offer to remove it.
        return [
          ...new Map(actions.toReversed().map((action) => [action.title, action])).values(),
        ].toReversed();
      },
    },
    { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
  );
}

function toAction(
  document: vscode.TextDocument,
  diagnostic: vscode.Diagnostic,
  { title, edits, isPreferred }: Mending,
): vscode.CodeAction {
  const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
  action.diagnostics = [diagnostic];
  action.isPreferred = isPreferred;
  action.edit = new vscode.WorkspaceEdit();
  action.edit.set(
    document.uri,
    edits.map((edit) => toTextEdit(document, edit)),
  );
  return action;
}

function toTextEdit(document: vscode.TextDocument, { offset, length, content }: Edit): vscode.TextEdit {
  const range = new vscode.Range(document.positionAt(offset), document.positionAt(offset + length));
  return new vscode.TextEdit(range, content);
}
