// Why: the address of an input document: connection and workflow in the path, the workflow's name on the tab.
import * as vscode from 'vscode';
import type { WorkflowTarget } from '../../model/targets.ts';
import { plainLine } from '../../platform/format.ts';
import { schemes } from '../../platform/ids.ts';

/** workflow-input:/connection/workflow/Name.input.json */
export function inputUri(target: WorkflowTarget, workflowName: string): vscode.Uri {
  const name = plainLine(workflowName, 80)
    .replace(/[\\/:*?"<>|]/g, ' ')
    .trim();
  const segments = [target.connectionId, target.workflowId].map((segment) => encodeURIComponent(segment));
  return vscode.Uri.from({
    scheme: schemes.input,
    path: `/${segments.join('/')}/${name === '' ? 'workflow' : name}.input.json`,
  });
}

/** The workflow that an input document belongs to; undefined for any other address. */
export function inputTarget(uri: vscode.Uri): WorkflowTarget | undefined {
  if (uri.scheme !== schemes.input) return undefined;
  const [, connectionId, workflowId] = uri.path.split('/');
  if (connectionId === undefined || workflowId === undefined || workflowId === '') return undefined;
  return { connectionId: decodeURIComponent(connectionId), workflowId: decodeURIComponent(workflowId) };
}
