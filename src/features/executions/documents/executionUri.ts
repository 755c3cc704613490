// The address of what can be read of an execution: it names connection, execution and part; its path is only what the editor shows of it.
import * as vscode from 'vscode';
import type { ExecutionTarget } from '../../../domain/targets.ts';
import { documentPath } from '../../../ui/addresses/documentPath.ts';
import { schemes } from '../../../editor/ids.ts';

const executionParts = ['details', 'input', 'output', 'node', 'log', 'timeline'] as const;
export type ExecutionPart = (typeof executionParts)[number];

const endings: Readonly<Record<ExecutionPart, string>> = {
  details: '.json',
  input: '.json',
  output: '.json',
  node: '.json',
  log: '.log',
  timeline: '.txt',
};

export interface ExecutionAddress {
  readonly target: ExecutionTarget;
  readonly part: ExecutionPart;
  /** Which node run, for the part "node". */
  readonly nodeRunKey: string;
  /** True on both sides of a comparison where one of them is so large that it stands in few lines. */
  readonly isCompact: boolean;
}

/** What a person sees of the address. */
export interface ExecutionLabel {
  readonly connectionName: string;
  readonly title: string;
  /** The ending of the name, which gives the document its language; by default that of the part. */
  readonly ending?: string;
}

/** workflow-execution://connection/Connection/Name part.json?execution=…&part=…&node=…&layout=compact */
export function executionUri(address: ExecutionAddress, label: ExecutionLabel): vscode.Uri {
  const { target, part, nodeRunKey, isCompact } = address;
  const { connectionName, title, ending = endings[part] } = label;
  const query = new URLSearchParams({
    execution: target.executionId,
    part,
    ...(nodeRunKey === '' ? {} : { node: nodeRunKey }),
    ...(isCompact ? { layout: 'compact' } : {}),
  });
  return vscode.Uri.from({
    scheme: schemes.execution,
    authority: target.connectionId,
    path: documentPath(connectionName, title, ending),
    query: query.toString(),
  });
}

/** The same address, in the layout of large values. */
export function withCompactLayout(uri: vscode.Uri): vscode.Uri {
  const query = new URLSearchParams(uri.query);
  query.set('layout', 'compact');
  return uri.with({ query: query.toString() });
}

/** The same address with another ending of its name, with its dot. */
export function withEnding(uri: vscode.Uri, ending: string): vscode.Uri {
  return uri.with({ path: uri.path.slice(0, uri.path.lastIndexOf('.')) + ending });
}

/** What an address stands for; undefined for any other. */
export function executionAddress(uri: vscode.Uri): ExecutionAddress | undefined {
  if (uri.scheme !== schemes.execution || uri.authority === '') return undefined;
  const query = new URLSearchParams(uri.query);
  const executionId = query.get('execution');
  const part = executionParts.find((known) => known === query.get('part'));
  if (executionId === null || part === undefined) return undefined;
  return {
    target: { connectionId: uri.authority, executionId },
    part,
    nodeRunKey: query.get('node') ?? '',
    isCompact: query.get('layout') === 'compact',
  };
}
