// Why: the address of what can be read of an execution: connection, execution and part in the path, a name on the tab.
import * as vscode from 'vscode';
import type { ExecutionTarget } from '../../model/targets.ts';
import { plainLine } from '../../platform/format.ts';
import { schemes } from '../../platform/ids.ts';

export const executionParts = ['details', 'input', 'output', 'node'] as const;
export type ExecutionPart = (typeof executionParts)[number];

export interface ExecutionAddress {
  readonly target: ExecutionTarget;
  readonly part: ExecutionPart;
  /** Which node run, for the part "node". */
  readonly nodeRunKey: string;
}

/** workflow-execution:/connection/execution/part/Name part.json?nodeRunKey */
export function executionUri(address: ExecutionAddress, title: string): vscode.Uri {
  const { target, part, nodeRunKey } = address;
  const name = plainLine(title, 80)
    .replace(/[\\/:*?"<>|]/g, ' ')
    .trim();
  const segments = [target.connectionId, target.executionId].map((segment) => encodeURIComponent(segment));
  return vscode.Uri.from({
    scheme: schemes.execution,
    path: `/${segments.join('/')}/${part}/${name === '' ? 'execution' : name}.json`,
    query: nodeRunKey,
  });
}

/** What an address stands for; undefined for any other. */
export function executionAddress(uri: vscode.Uri): ExecutionAddress | undefined {
  if (uri.scheme !== schemes.execution) return undefined;
  const [, connectionId, executionId, name] = uri.path.split('/');
  const part = executionParts.find((known) => known === name);
  if (connectionId === undefined || executionId === undefined || part === undefined) return undefined;
  return {
    target: { connectionId: decodeURIComponent(connectionId), executionId: decodeURIComponent(executionId) },
    part,
    nodeRunKey: uri.query,
  };
}
