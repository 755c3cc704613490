// The addresses of definitions: they name connection and workflow; which of the two sides of a comparison is meant stands in the path.
import * as vscode from 'vscode';
import type { WorkflowTarget } from '../../domain/targets.ts';
import { schemes } from '../../editor/ids.ts';
import { documentPath } from './documentPath.ts';

/** workflow-definition://connection/Connection/Name.workflow.json?workflow */
export function definitionUri(
  target: WorkflowTarget,
  connectionName: string,
  workflowName: string,
): vscode.Uri {
  return vscode.Uri.from({
    scheme: schemes.definition,
    authority: target.connectionId,
    path: documentPath(connectionName, workflowName, '.workflow.json'),
    query: target.workflowId,
  });
}

/** The workflow that a definition's document belongs to; undefined for any other address. */
export function definitionTarget(uri: vscode.Uri): WorkflowTarget | undefined {
  if (uri.scheme !== schemes.definition || uri.authority === '' || uri.query === '') return undefined;
  return { connectionId: uri.authority, workflowId: uri.query };
}

/** True for an address that stands for this workflow. */
export function isOf(uri: vscode.Uri, { connectionId, workflowId }: WorkflowTarget): boolean {
  const target = definitionTarget(uri);
  return target?.connectionId === connectionId && target.workflowId === workflowId;
}

/** The address of what the service holds, beside this document in a comparison: workflow-definition://connection/Connection/service/Name.workflow.json?workflow */
export function theirsUri(uri: vscode.Uri): vscode.Uri {
  const before = uri.path.lastIndexOf('/');
  return uri.with({ path: `${uri.path.slice(0, before)}/service${uri.path.slice(before)}` });
}

/** True for what only shows the service's side. Names hold no slash, so no definition lies as deep. */
export function isTheirs(uri: vscode.Uri): boolean {
  return uri.path.split('/').length > 3;
}
