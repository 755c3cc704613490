// The addresses of our documents. Authority and query say what a document is; its path is only what the editor shows of it.
import * as vscode from 'vscode';
import type { PortalEvent } from '../domain/portalEvent.ts';
import type { ExecutionTarget, WorkflowTarget } from '../domain/targets.ts';
import { fileName } from '../editor/format.ts';
import { schemes } from '../editor/ids.ts';
import type { PortalEventTarget } from '../model/portalEvents/portalEventsState.ts';
import { shortId } from './words/names.ts';

/** A name that a path can hold; dots alone would mean a place instead. */
function segment(name: string, fallback: string): string {
  const usable = fileName(name);
  return /^\.*$/.test(usable) ? fallback : usable;
}

/** "/Connection/Name.ending": tells documents of one name apart by their service. ending: with its dot. */
export function documentPath(connectionName: string, name: string, ending: string): string {
  return `/${segment(connectionName, 'connection')}/${segment(name, 'document')}${ending}`;
}

/** scheme://connection/Connection/Name.ending?id */
function build(scheme: string, connectionId: string, path: string, id: string): vscode.Uri {
  return vscode.Uri.from({ scheme, authority: connectionId, path, query: id });
}

function workflowOf(scheme: string, uri: vscode.Uri): WorkflowTarget | undefined {
  if (uri.scheme !== scheme || uri.authority === '' || uri.query === '') return undefined;
  return { connectionId: uri.authority, workflowId: uri.query };
}

/** workflow-definition://connection/Connection/Name.workflow.json?workflow */
export function definitionUri(
  { connectionId, workflowId }: WorkflowTarget,
  connectionName: string,
  workflowName: string,
): vscode.Uri {
  const path = documentPath(connectionName, workflowName, '.workflow.json');
  return build(schemes.definition, connectionId, path, workflowId);
}

/** The workflow that a definition's document belongs to; undefined for any other address. */
export function definitionTarget(uri: vscode.Uri): WorkflowTarget | undefined {
  return workflowOf(schemes.definition, uri);
}

/** The workflow that a definition's document belongs to. Throws FileNotFound for any other address. */
export function requireTarget(uri: vscode.Uri): WorkflowTarget {
  const target = definitionTarget(uri);
  if (target === undefined) throw vscode.FileSystemError.FileNotFound(uri);
  return target;
}

/** True for the address of this workflow's definition. */
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

/** The address of what is deployed, beside this definition: workflow-deployed://connection/Connection/Name (deployed).workflow.json?workflow */
export function deployedUri(uri: vscode.Uri): vscode.Uri {
  const path = uri.path.replace(/\.workflow\.json$/, ' (deployed)$&');
  return uri.with({ scheme: schemes.deployed, path });
}

/** The workflow whose deployed definition an address stands for. Throws FileNotFound for any other address. */
export function requireDeployedTarget(uri: vscode.Uri): WorkflowTarget {
  return requireTarget(uri.with({ scheme: schemes.definition }));
}

/** workflow-input://connection/Connection/Name.input.json?workflow */
export function inputUri(
  { connectionId, workflowId }: WorkflowTarget,
  connectionName: string,
  workflowName: string,
): vscode.Uri {
  const path = documentPath(connectionName, workflowName, '.input.json');
  return build(schemes.input, connectionId, path, workflowId);
}

/** The workflow that an input document belongs to; undefined for any other address. */
export function inputTarget(uri: vscode.Uri): WorkflowTarget | undefined {
  return workflowOf(schemes.input, uri);
}

/** workflow-event://connection/Connection/Type id.json?key */
export function eventUri(
  connectionId: string,
  connectionName: string,
  { type, id, key }: PortalEvent,
): vscode.Uri {
  const title = id === null ? type : `${type} ${shortId(id)}`;
  return build(schemes.event, connectionId, documentPath(connectionName, title, '.json'), key);
}

/** The event that an address stands for; undefined for any other. */
export function eventTarget(uri: vscode.Uri): PortalEventTarget | undefined {
  if (uri.scheme !== schemes.event || uri.authority === '' || uri.query === '') return undefined;
  return { connectionId: uri.authority, key: uri.query };
}

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
  /** Which node run, for the part "node"; else ''. */
  readonly nodeRunKey: string;
  /** True on both sides of a comparison where one of them is so large that it stands in few lines. */
  readonly isCompact: boolean;
}

/** What the editor shows of the address. */
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
  const path = documentPath(connectionName, title, ending);
  return build(schemes.execution, target.connectionId, path, query.toString());
}

/** The same address, in the layout of large values. */
export function withCompactLayout(uri: vscode.Uri): vscode.Uri {
  const query = new URLSearchParams(uri.query);
  query.set('layout', 'compact');
  return uri.with({ query: query.toString() });
}

/** The same address with another ending of its name. ending: with its dot. */
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
