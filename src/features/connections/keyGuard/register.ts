// A key pasted into a text gets a warning, and a way out of the text into the secret storage.
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../../base/disposable.ts';
import { textMember } from '../../../ui/activeConnection.ts';
import { commandId } from '../../../editor/ids.ts';
import { createKeyProblems, problemCode } from './keyProblems.ts';
import { askAndStore, keyAt, replaceInText } from './moveKey.ts';
import { showMessage } from '../../../editor/messages.ts';
import { PlainError } from '../../../editor/plainError.ts';
import type { App } from '../../../ui/app.ts';

export type KeyGuardDeps = Pick<App, 'commands' | 'connections' | 'clock'>;

/** Where the key stands. It never travels itself: what a command is called with may be written down. */
interface KeyPlace {
  readonly uri: vscode.Uri;
  /** In UTF-16 units; undefined for the first key of the text. */
  readonly offset: number | undefined;
  /** Only from code: whose key it becomes. */
  readonly connectionId: string | undefined;
}

function decodePlace(value: Readonly<Record<string, unknown>>): KeyPlace | undefined {
  const uri = textMember(value, 'uri');
  const offset = value['offset'];
  if (uri === undefined) return undefined;
  return {
    uri: vscode.Uri.parse(uri, true),
    offset: typeof offset === 'number' ? offset : undefined,
    connectionId: textMember(value, 'connectionId'),
  };
}

function activePlace(): KeyPlace {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) throw new PlainError(vscode.l10n.t('Open the text with the API key first.'));
  const { document, selection } = editor;
  return { uri: document.uri, offset: document.offsetAt(selection.active), connectionId: undefined };
}

function createQuickFix(document: vscode.TextDocument, problem: vscode.Diagnostic): vscode.CodeAction {
  const fix = new vscode.CodeAction(vscode.l10n.t('Move to secret storage…'), vscode.CodeActionKind.QuickFix);
  fix.diagnostics = [problem];
  fix.isPreferred = true;
  fix.command = {
    command: commandId('keyGuard.moveKey'),
    title: fix.title,
    arguments: [
      {
        invokedBy: 'person',
        uri: document.uri.toString(),
        offset: document.offsetAt(problem.range.start),
      },
    ],
  };
  return fix;
}

function registerMove({ commands, connections }: KeyGuardDeps): Disposable {
  return commands.register('keyGuard.moveKey', {
    decode: decodePlace,
    expects: '{uri, connectionId, offset?}',
    ask: () => Promise.resolve(activePlace()),
    run: async ({ uri, offset, connectionId }, { isInteractive }) => {
      if (!isInteractive && connectionId === undefined) throw new TypeError('The connectionId is missing.');
      const document = await vscode.workspace.openTextDocument(uri);
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
  const owned = new DisposableStore();
  owned.add(createKeyProblems(deps.clock));
  owned.add(
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
  owned.add(registerMove(deps));
  return owned;
}
