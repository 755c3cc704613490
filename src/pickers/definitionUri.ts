// Why: the address of a definition's document: it names connection and workflow; its path is only what the tab and the breadcrumbs show.
import * as vscode from 'vscode';
import type { WorkflowTarget } from '../model/targets.ts';
import { fileName } from '../platform/format.ts';
import { schemes } from '../platform/ids.ts';

/** workflow-definition://connection/Name.workflow.json?workflow */
export function definitionUri(target: WorkflowTarget, workflowName: string): vscode.Uri {
  const name = fileName(workflowName);
  return vscode.Uri.from({
    scheme: schemes.definition,
    authority: target.connectionId,
    path: `/${name === '' ? 'workflow' : name}.workflow.json`,
    query: target.workflowId,
  });
}

/** The workflow that a definition's document belongs to; undefined for any other address. */
export function definitionTarget(uri: vscode.Uri): WorkflowTarget | undefined {
  if (uri.scheme !== schemes.definition || uri.authority === '' || uri.query === '') return undefined;
  return { connectionId: uri.authority, workflowId: uri.query };
}
