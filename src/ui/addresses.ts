// The URIs of the extension's documents. Authority and query identify a document; its path is only for display.
import { presetEnding } from '../model/inputs/presetChoices.ts';
import * as vscode from 'vscode';
import type { CodeLanguage } from '../definition/nodeCode.ts';
import { type DefinitionFormat, definitionFormats, withoutEnding } from '../domain/definitionFormat.ts';
import type { PortalEvent } from '../domain/portalEvent.ts';
import type { ExecutionTarget, WorkflowTarget } from '../domain/targets.ts';
import { fileName } from '../base/format.ts';
import { baseName } from '../editor/documents/documents.ts';
import { schemes } from '../editor/ids.ts';
import { type PinKind, pinKinds } from '../model/pins/pins.ts';
import type { PortalEventTarget } from '../model/portalEvents/portalEventsState.ts';
import { shortId } from '../words/names.ts';

/** Returns a name that a path can contain. The fallback replaces names of dots only, which have a special meaning. */
function segment(name: string, fallback: string): string {
  const usable = fileName(name);
  return /^\.*$/.test(usable) ? fallback : usable;
}

/** "/Connection/Name.ending". The connection distinguishes documents that have the same name. ending: with its dot. */
export function documentPath(connectionName: string, name: string, ending: string): string {
  return `/${segment(connectionName, 'connection')}/${segment(name, 'document')}${ending}`;
}

/** scheme://connection/Connection/Name.ending?id */
function build(scheme: string, connectionId: string, path: string, id: string): vscode.Uri {
  return vscode.Uri.from({ scheme, authority: connectionId, path, query: id });
}

/** What one of the functions below reads in a URI. Throws FileNotFound for a URI in which it reads nothing. */
export function requireAddress<T>(uri: vscode.Uri, read: (uri: vscode.Uri) => T | undefined): T {
  const address = read(uri);
  if (address === undefined) throw vscode.FileSystemError.FileNotFound(uri);
  return address;
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
  format: DefinitionFormat = 'service',
): vscode.Uri {
  const path = documentPath(connectionName, workflowName, definitionFormats[format].fileEnding);
  return build(schemes.definition, connectionId, path, workflowId);
}

/** The workflow of a service's document of a definition; undefined for any other URI, a file's too. */
export function serviceTarget(uri: vscode.Uri): WorkflowTarget | undefined {
  return workflowOf(schemes.definition, uri);
}

/** True for the URI of the service's document of this workflow's definition. */
export function isOf(uri: vscode.Uri, { connectionId, workflowId }: WorkflowTarget): boolean {
  const target = serviceTarget(uri);
  return target?.connectionId === connectionId && target.workflowId === workflowId;
}

/**
 * The URI of the service's side in a comparison with this document:
 * workflow-definition://connection/Connection/service/Name.workflow.json?workflow
 */
export function theirsUri(uri: vscode.Uri): vscode.Uri {
  const before = uri.path.lastIndexOf('/');
  return uri.with({ path: `${uri.path.slice(0, before)}/service${uri.path.slice(before)}` });
}

/** True for the URI of the service's side. Names contain no slash, so the paths of definitions are always shorter. */
export function isTheirs(uri: vscode.Uri): boolean {
  return uri.scheme === schemes.definition && uri.path.split('/').length > 3;
}

/** The URI of the deployed definition: workflow-deployed://connection/Connection/Name (deployed).workflow.json?workflow */
export function deployedUri(uri: vscode.Uri): vscode.Uri {
  const name = withoutEnding(uri.path);
  const path = `${name} (deployed)${uri.path.slice(name.length)}`;
  return uri.with({ scheme: schemes.deployed, path });
}

/** The workflow of a deployed definition's document; undefined for any other URI. */
export function deployedTarget(uri: vscode.Uri): WorkflowTarget | undefined {
  return workflowOf(schemes.deployed, uri);
}

/** workflow-service://connection/Connection/Name.workflow.json?workflow=…&file=…; with an environment, if it isn't that of the file. */
export function serviceVersionUri(
  { connectionId, workflowId }: WorkflowTarget,
  connectionName: string,
  file: vscode.Uri,
  environment?: string,
): vscode.Uri {
  const query = new URLSearchParams({
    workflow: workflowId,
    file: file.toString(),
    ...(environment === undefined ? {} : { environment }),
  });
  const whole = baseName(file);
  const name = withoutEnding(whole);
  const path = documentPath(connectionName, name, whole.slice(name.length));
  return build(schemes.service, connectionId, path, query.toString());
}

/** A version of a workflow that a service has, to be compared with a file. */
export interface ServiceVersionAddress {
  readonly target: WorkflowTarget;
  readonly file: vscode.Uri;
}

/** undefined for any other URI, and for a version of another environment, whose text is only as it was compared. */
export function serviceVersionAddress(uri: vscode.Uri): ServiceVersionAddress | undefined {
  if (uri.scheme !== schemes.service || uri.authority === '') return undefined;
  const query = new URLSearchParams(uri.query);
  const workflowId = query.get('workflow');
  const file = query.get('file');
  if (workflowId === null || file === null || query.has('environment')) return undefined;
  return { target: { connectionId: uri.authority, workflowId }, file: vscode.Uri.parse(file, true) };
}

/** workflow-input://connection/Connection/Name.input.json?workflow */
export function inputUri(
  { connectionId, workflowId }: WorkflowTarget,
  connectionName: string,
  workflowName: string,
): vscode.Uri {
  const path = documentPath(connectionName, workflowName, presetEnding);
  return build(schemes.input, connectionId, path, workflowId);
}

/** The workflow of an input document; undefined for any other URI. */
export function inputTarget(uri: vscode.Uri): WorkflowTarget | undefined {
  return workflowOf(schemes.input, uri);
}

/** How the names of pins end. */
export const pinEndings: Readonly<Record<PinKind, string>> = {
  output: '.pin.json',
  answers: '.answers.json',
};

/** scheme://connection/Connection/Node.ending?workflow=…&node=… */
function nodeUri(
  scheme: string,
  { connectionId, workflowId }: WorkflowTarget,
  path: string,
  nodeId: string,
): vscode.Uri {
  const query = new URLSearchParams({ workflow: workflowId, node: nodeId });
  return build(scheme, connectionId, path, query.toString());
}

export interface NodeAddress {
  readonly target: WorkflowTarget;
  readonly nodeId: string;
}

function nodeOf(scheme: string, uri: vscode.Uri): NodeAddress | undefined {
  if (uri.scheme !== scheme || uri.authority === '') return undefined;
  const query = new URLSearchParams(uri.query);
  const workflowId = query.get('workflow');
  const nodeId = query.get('node');
  if (workflowId === null || nodeId === null) return undefined;
  return { target: { connectionId: uri.authority, workflowId }, nodeId };
}

/** workflow-pin://connection/Connection/Node.pin.json?workflow=…&node=… */
export function pinUri(
  target: WorkflowTarget,
  connectionName: string,
  node: { readonly id: string; readonly name: string },
  kind: PinKind,
): vscode.Uri {
  return nodeUri(schemes.pin, target, documentPath(connectionName, node.name, pinEndings[kind]), node.id);
}

export interface PinAddress extends NodeAddress {
  readonly kind: PinKind;
}

/** The node of a pin's document, and what it has; undefined for any other URI. */
export function pinAddress(uri: vscode.Uri): PinAddress | undefined {
  const address = nodeOf(schemes.pin, uri);
  const kind = pinKinds.find((each) => uri.path.endsWith(pinEndings[each]));
  return address && kind && { ...address, kind };
}

/** How the names of code documents end. The editor chooses their language by it. */
const codeEndings: Readonly<Record<CodeLanguage, string>> = { javascript: '.js', python: '.py' };

export interface CodeAddress extends NodeAddress {
  /** The linked file that the code is in; undefined for the service's own document. */
  readonly file?: vscode.Uri;
}

/** workflow-code://connection/Connection/Workflow/Node.js?workflow=…&node=…&file=… */
export function codeUri(
  { target, nodeId, file }: CodeAddress,
  names: { readonly connection: string; readonly workflow: string },
  language: CodeLanguage,
): vscode.Uri {
  const folder = `/${segment(names.connection, 'connection')}`;
  const path = folder + documentPath(names.workflow, nodeId, codeEndings[language]);
  const uri = nodeUri(schemes.code, target, path, nodeId);
  if (file === undefined) return uri;
  const query = new URLSearchParams(uri.query);
  query.set('file', file.toString());
  return uri.with({ query: query.toString() });
}

/** The node whose code a document is; undefined for any other URI. */
export function codeAddress(uri: vscode.Uri): CodeAddress | undefined {
  const address = nodeOf(schemes.code, uri);
  const file = new URLSearchParams(uri.query).get('file');
  return address && file !== null ? { ...address, file: vscode.Uri.parse(file) } : address;
}

/** The same document for another node. */
export function withNode(uri: vscode.Uri, nodeId: string): vscode.Uri {
  const query = new URLSearchParams(uri.query);
  query.set('node', nodeId);
  return uri.with({ query: query.toString() });
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

/** The event of a payload's document; undefined for any other URI. */
export function eventTarget(uri: vscode.Uri): PortalEventTarget | undefined {
  if (uri.scheme !== schemes.event || uri.authority === '' || uri.query === '') return undefined;
  return { connectionId: uri.authority, key: uri.query };
}

/** workflow-statistics://connection/Connection/Name statistics.txt?workflow */
export function statisticsUri(
  { connectionId, workflowId }: WorkflowTarget,
  connectionName: string,
  title: string,
): vscode.Uri {
  return build(schemes.statistics, connectionId, documentPath(connectionName, title, '.txt'), workflowId);
}

/** The workflow of a document with statistics; undefined for any other URI. */
export function statisticsTarget(uri: vscode.Uri): WorkflowTarget | undefined {
  return workflowOf(schemes.statistics, uri);
}

/** workflow-diagnosis://connection/Connection/Diagnosis.txt */
export function diagnosisUri(connectionId: string, connectionName: string): vscode.Uri {
  return build(schemes.diagnosis, connectionId, documentPath(connectionName, 'Diagnosis', '.txt'), '');
}

/** The connection of a diagnosis; undefined for any other URI. */
export function diagnosedConnection(uri: vscode.Uri): string | undefined {
  return uri.scheme === schemes.diagnosis && uri.authority !== '' ? uri.authority : undefined;
}

export const executionParts = [
  'details',
  'input',
  'output',
  'node',
  'log',
  'timeline',
  'definition',
  'comparison',
  'differences',
] as const;
export type ExecutionPart = (typeof executionParts)[number];

const endings: Readonly<Record<ExecutionPart, string>> = {
  details: '.json',
  input: '.json',
  output: '.json',
  node: '.json',
  log: '.log',
  timeline: '.timeline.txt',
  definition: '.json',
  comparison: '.json',
  differences: '.comparison.txt',
};

export interface ExecutionAddress {
  readonly target: ExecutionTarget;
  readonly part: ExecutionPart;
  /** The node run, for the part "node"; else ''. */
  readonly nodeRunKey: string;
  /** True on both sides of a comparison if either is large and shown in the compact layout. */
  readonly isCompact: boolean;
  /** The execution on the left, for the part "differences"; `target` is the one on the right. */
  readonly otherExecutionId?: string;
}

/** The part of the URI that's only for display. */
export interface ExecutionLabel {
  readonly connectionName: string;
  readonly title: string;
}

/** workflow-execution://connection/Connection/Name part.json?execution=…&part=…&node=…&layout=compact&other=… */
export function executionUri(
  address: ExecutionAddress,
  { connectionName, title }: ExecutionLabel,
): vscode.Uri {
  const { target, part, nodeRunKey, isCompact, otherExecutionId } = address;
  const query = new URLSearchParams({
    execution: target.executionId,
    part,
    ...(nodeRunKey === '' ? {} : { node: nodeRunKey }),
    ...(isCompact ? { layout: 'compact' } : {}),
    ...(otherExecutionId === undefined ? {} : { other: otherExecutionId }),
  });
  const path = documentPath(connectionName, title, endings[part]);
  return build(schemes.execution, target.connectionId, path, query.toString());
}

/** The same URI with another file extension. ending: with its dot. */
export function withEnding(uri: vscode.Uri, ending: string): vscode.Uri {
  return uri.with({ path: uri.path.slice(0, uri.path.lastIndexOf('.')) + ending });
}

/** The parts of an execution document's URI; undefined for any other URI. */
export function executionAddress(uri: vscode.Uri): ExecutionAddress | undefined {
  if (uri.scheme !== schemes.execution || uri.authority === '') return undefined;
  const query = new URLSearchParams(uri.query);
  const executionId = query.get('execution');
  const part = executionParts.find((known) => known === query.get('part'));
  const other = query.get('other');
  if (executionId === null || part === undefined || (part === 'differences') !== (other !== null))
    return undefined;
  return {
    target: { connectionId: uri.authority, executionId },
    part,
    nodeRunKey: query.get('node') ?? '',
    isCompact: query.get('layout') === 'compact',
    ...(other === null ? {} : { otherExecutionId: other }),
  };
}
