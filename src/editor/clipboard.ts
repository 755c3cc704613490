import * as vscode from 'vscode';
import { sayInStatusBar } from './prompts/statusBarMessage.ts';

/** Copies the text, and says in the status bar what was copied. */
export async function copyText(text: string, said: string): Promise<void> {
  await vscode.env.clipboard.writeText(text);
  sayInStatusBar(said);
}
