import * as vscode from 'vscode';
import { showStatusBarMessage } from './prompts/statusBarMessage.ts';

/** Copies the text, and says in the status bar what was copied. */
export async function copyText(text: string, said: string): Promise<void> {
  await vscode.env.clipboard.writeText(text);
  showStatusBarMessage(said);
}
