// Why: which of our documents is the definition itself, and which one only shows what the service holds, beside it in a comparison.
import * as vscode from 'vscode';
import type { WorkflowTarget } from '../../model/targets.ts';
import { definitionTarget } from '../../pickers/definitionUri.ts';

const theirsFolder = '/service';

/** The address of the service's side in a comparison with this document. */
export function theirsUri(uri: vscode.Uri): vscode.Uri {
  return uri.with({ path: theirsFolder + uri.path });
}

/** True for what only shows the service's side. Names of workflows hold no slash, so no definition has such an address. */
export function isTheirs(uri: vscode.Uri): boolean {
  return uri.path.startsWith(`${theirsFolder}/`);
}

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
