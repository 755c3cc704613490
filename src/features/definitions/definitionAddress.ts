// What a definition's address leads to: its workflow, its document while that is open, and what is deployed of it.
import * as vscode from 'vscode';
import type { WorkflowTarget } from '../../domain/targets.ts';
import { definitionTarget } from '../../ui/addresses/definitionUri.ts';
import { schemes } from '../../editor/ids.ts';

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

/** The address of what is deployed, beside this definition: workflow-deployed://connection/Connection/Name (deployed).workflow.json?workflow */
export function deployedUri(uri: vscode.Uri): vscode.Uri {
  const path = uri.path.replace(/\.workflow\.json$/, ' (deployed)$&');
  return uri.with({ scheme: schemes.deployed, path });
}

/** The workflow whose deployed definition an address stands for. Throws FileNotFound. */
export function requireDeployedTarget(uri: vscode.Uri): WorkflowTarget {
  return requireTarget(uri.with({ scheme: schemes.definition }));
}
