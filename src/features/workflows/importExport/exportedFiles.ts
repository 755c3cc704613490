// What a person can do with exported files, beside the message that they're there.
import * as vscode from 'vscode';
import type { MessageAction } from './transfer.ts';

/** Opens the file in an editor. */
export function openFile(uri: vscode.Uri): MessageAction {
  return {
    title: vscode.l10n.t('Open'),
    run: async () => {
      await vscode.window.showTextDocument(uri);
    },
  };
}

/** Shows the file in the file manager. Empty in a window that can't: the file manager is on another machine, or there's none. */
export function revealFile(uri: vscode.Uri): readonly MessageAction[] {
  const isHere = uri.scheme === 'file' && vscode.env.remoteName === undefined;
  if (!isHere || vscode.env.uiKind !== vscode.UIKind.Desktop) return [];
  const run = async (): Promise<void> => {
    await vscode.commands.executeCommand('revealFileInOS', uri);
  };
  return [{ title: vscode.l10n.t('Open Containing Folder'), run }];
}
