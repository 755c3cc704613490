// Why: what a definition's address leads to: its workflow, and its document while that is open.
import * as vscode from 'vscode';
import type { WorkflowTarget } from '../../model/targets.ts';
import { definitionTarget } from '../../pickers/definitionUri.ts';

/** The workflow behind an address of our scheme. Throws FileNotFound. */
export function requireTarget(uri: vscode.Uri): WorkflowTarget {
  const target = definitionTarget(uri);
  if (target === undefined) throw vscode.FileSystemError.FileNotFound(uri);
  return target;
}

/** The document of an address, if it is open. */
export function findDocument(uri: vscode.Uri): vscode.TextDocument | undefined {
  const key = uri.toString();
  return vscode.workspace.textDocuments.find((document) => document.uri.toString() === key);
}
