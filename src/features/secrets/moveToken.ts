// Moves a token from a definition to a secret. The argument never contains the token, because command arguments may be recorded.
import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { escapeForJson } from '../../definition/jsonString.ts';
import { rangeOfSpan } from '../../editor/documents/documents.ts';
import { PlainError } from '../../editor/plainError.ts';
import { showMessage } from '../../editor/prompts/prompts.ts';
import type { App } from '../../ui/app.ts';
import { findTokens, type WrittenToken } from './findTokens.ts';
import { askSecret, storeSecret } from './secretCommands.ts';

export type MoveTokenDeps = Pick<App, 'commands' | 'definitionTexts' | 'localService' | 'secrets'>;

/** Returns the token at the offset, or else the first one. Throws a PlainError if there's none. */
function tokenAt(
  { definitionTexts }: MoveTokenDeps,
  document: vscode.TextDocument,
  offset: number | undefined,
): WrittenToken {
  const tokens = findTokens(definitionTexts.of(document));
  const found =
    tokens.find(({ span }) => offset !== undefined && span.start <= offset && offset <= span.end) ??
    tokens[0];
  if (found) return found;
  throw new PlainError(vscode.l10n.t("There's no token in the headers or queries of this definition."));
}

/** Replaces each place of the token. The document is left unsaved, so that the user can review it. */
async function replaceIn(
  { definitionTexts }: MoveTokenDeps,
  document: vscode.TextDocument,
  token: string,
  name: string,
): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  for (const { span, token: each } of findTokens(definitionTexts.of(document))) {
    if (each !== token) continue;
    edit.replace(document.uri, rangeOfSpan(document, span), escapeForJson(`{{ secrets.${name} }}`));
  }
  if (await vscode.workspace.applyEdit(edit)) return;
  throw new PlainError(
    vscode.l10n.t("The token was stored as a secret, but it couldn't be removed from the definition."),
  );
}

export function registerMoveToken(deps: MoveTokenDeps): Disposable {
  return deps.commands.register('secret.moveToken', {
    ask: () => {
      const editor = vscode.window.activeTextEditor;
      if (editor === undefined)
        throw new PlainError(vscode.l10n.t('Open the definition with the token first.'));
      const { document, selection } = editor;
      return Promise.resolve({
        uri: document.uri.toString(),
        offset: document.offsetAt(selection.active),
      });
    },
    run: async ({ uri, offset, name }, { isInteractive }) => {
      const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(uri, true));
      const { token, suggestedName } = tokenAt(deps, document, offset);
      const secret = isInteractive
        ? await askSecret(deps, { value: token }, name ?? suggestedName)
        : { name: name ?? suggestedName, value: token, origins: [] };
      await storeSecret(deps, secret, isInteractive);
      await replaceIn(deps, document, token, secret.name);
      if (isInteractive)
        void showMessage(
          'information',
          vscode.l10n.t(
            'The token was moved to the secret "{0}". Save the definition. If others could read it, replace the token where it was made.',
            secret.name,
          ),
        );
      return { name: secret.name };
    },
  });
}
