// The workflow behind a definition's address, and the address of what is deployed beside it.
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

/** The address of what is deployed, beside this definition: workflow-deployed://connection/Connection/Name (deployed).workflow.json?workflow */
export function deployedUri(uri: vscode.Uri): vscode.Uri {
  const path = uri.path.replace(/\.workflow\.json$/, ' (deployed)$&');
  return uri.with({ scheme: schemes.deployed, path });
}

/** The workflow whose deployed definition an address stands for. Throws FileNotFound. */
export function requireDeployedTarget(uri: vscode.Uri): WorkflowTarget {
  return requireTarget(uri.with({ scheme: schemes.definition }));
}
