import * as vscode from 'vscode';
import { withoutIcons } from '../../base/format.ts';

const saidForMs = 5000;

/** Says in the status bar, for some seconds, that something was done which shows nowhere else. */
export function showStatusBarMessage(said: string): void {
  vscode.window.setStatusBarMessage(withoutIcons(said), saidForMs);
}

/** Copies the text, and says in the status bar what was copied. */
export async function copyText(text: string, said: string): Promise<void> {
  await vscode.env.clipboard.writeText(text);
  showStatusBarMessage(said);
}
