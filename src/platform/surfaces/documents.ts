// Why: how a document comes on the screen: one of ours by its address, or a text that is nobody's file.
import * as vscode from 'vscode';

/** Shows what can only be read, in the tab that the next one may take. */
export async function showDocument(uri: vscode.Uri): Promise<void> {
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: true });
}

/** Opens an untitled document in the language of its content. */
export async function showText(content: string, language: 'plaintext' | 'json'): Promise<void> {
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ content, language }));
}
