// The only way to show a notification. Removes links, since a notification turns "[text](command:…)" into a link that runs a command.
import * as vscode from 'vscode';
import { withoutLinks } from './format.ts';

const shows = {
  information: vscode.window.showInformationMessage,
  warning: vscode.window.showWarningMessage,
  error: vscode.window.showErrorMessage,
} as const;

/** Shows a notification with buttons. Resolves with the button that was clicked, or undefined. */
export async function showMessage<T extends vscode.MessageItem>(
  kind: keyof typeof shows,
  text: string,
  actions: readonly T[] = [],
): Promise<T | undefined> {
  return shows[kind]<T>(withoutLinks(text), ...actions);
}
