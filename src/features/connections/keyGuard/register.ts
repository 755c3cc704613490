// Warns about API keys in documents and offers to move them to the secret storage.
import * as vscode from 'vscode';
import { combine, type Disposable } from '../../../base/disposable.ts';
import { offerCommand } from '../../../editor/commands.ts';
import { createKeyProblems, problemCode } from './keyProblems.ts';
import { askAndStore, keyAt, replaceInText } from './moveKey.ts';
import { showMessage } from '../../../editor/messages.ts';
import { PlainError } from '../../../editor/plainError.ts';
import type { App } from '../../../ui/app.ts';

export type KeyGuardDeps = Pick<App, 'commands' | 'connections' | 'clock'>;

/** The position of the cursor. The argument never contains the key itself, because command arguments may be recorded. */
function activePlace() {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) throw new PlainError(vscode.l10n.t('Open the text with the API key first.'));
  const { document, selection } = editor;
  return { uri: document.uri.toString(), offset: document.offsetAt(selection.active) };
}

function createQuickFix(document: vscode.TextDocument, problem: vscode.Diagnostic): vscode.CodeAction {
  const fix = new vscode.CodeAction(vscode.l10n.t('Move to secret storage…'), vscode.CodeActionKind.QuickFix);
  fix.diagnostics = [problem];
  fix.isPreferred = true;
  const place = { uri: document.uri.toString(), offset: document.offsetAt(problem.range.start) };
  fix.command = offerCommand('keyGuard.moveKey', place, { title: fix.title });
  return fix;
}

function registerMove({ commands, connections }: KeyGuardDeps): Disposable {
  return commands.register('keyGuard.moveKey', {
    ask: () => Promise.resolve(activePlace()),
    run: async ({ uri, offset, connectionId }, { isInteractive }) => {
      const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(uri, true));
      const apiKey = keyAt(document, offset);
      const connection =
        isInteractive || connectionId === undefined
          ? await askAndStore(connections, apiKey)
          : await connections.replaceKey(connectionId, apiKey);
      await replaceInText(document, apiKey);
      if (isInteractive) {
        void showMessage(
          'information',
          vscode.l10n.t(
            'The key is in the secret storage now. If the text was saved or shared with the key in it, revoke the key and make a new one.',
          ),
        );
      }
      return { connectionId: connection.id };
    },
  });
}

export function registerKeyGuard(deps: KeyGuardDeps): Disposable {
  return combine(
    createKeyProblems(deps.clock),
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
    registerMove(deps),
  );
}
