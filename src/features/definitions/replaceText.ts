// Decisions about a definition go into its document as edits, so that Undo brings the earlier text back.
import * as vscode from 'vscode';

/** Replaces the whole text; false when the editor did not take it. */
export async function replaceText({ uri, lineCount }: vscode.TextDocument, text: string): Promise<boolean> {
  const edit = new vscode.WorkspaceEdit();
  edit.replace(uri, new vscode.Range(0, 0, lineCount, 0), text);
  return vscode.workspace.applyEdit(edit);
}
