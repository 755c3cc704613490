import * as vscode from 'vscode';

const saidForMs = 4000;

/** Copies the text, and says in the status bar what was copied. */
export async function copyText(text: string, said: string): Promise<void> {
  await vscode.env.clipboard.writeText(text);
  vscode.window.setStatusBarMessage(said, saidForMs);
}
