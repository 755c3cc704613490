// The address of an input document: it names connection and workflow; its path is only what the tab and the breadcrumbs show.
import * as vscode from 'vscode';
import type { WorkflowTarget } from '../../domain/targets.ts';
import { documentPath } from '../../ui/addresses/documentPath.ts';
import { schemes } from '../../editor/ids.ts';

/** workflow-input://connection/Connection/Name.input.json?workflow */
export function inputUri(target: WorkflowTarget, connectionName: string, workflowName: string): vscode.Uri {
  return vscode.Uri.from({
    scheme: schemes.input,
    authority: target.connectionId,
    path: documentPath(connectionName, workflowName, '.input.json'),
    query: target.workflowId,
  });
}

/** The workflow that an input document belongs to; undefined for any other address. */
export function inputTarget(uri: vscode.Uri): WorkflowTarget | undefined {
  if (uri.scheme !== schemes.input || uri.authority === '' || uri.query === '') return undefined;
  return { connectionId: uri.authority, workflowId: uri.query };
}
