// A notification turns "[text](command:…)" into a link that runs something; this is the only way to show one, and it leaves no link in.
import * as vscode from 'vscode';
import { withoutLinks } from './format.ts';

const shows = {
  information: vscode.window.showInformationMessage,
  warning: vscode.window.showWarningMessage,
  error: vscode.window.showErrorMessage,
} as const;

/** Shows a notification with buttons; resolves with the one that was pressed, or undefined. */
export async function showMessage<T extends vscode.MessageItem>(
  kind: keyof typeof shows,
  text: string,
  actions: readonly T[] = [],
): Promise<T | undefined> {
  return shows[kind]<T>(withoutLinks(text), ...actions);
}
