// Why: shows a text that is nobody's file as a document of its own.
import * as vscode from 'vscode';

/** Opens an untitled document in the language of its content. */
export async function showText(content: string, language: 'plaintext' | 'json'): Promise<void> {
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ content, language }));
}
