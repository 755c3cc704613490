// Where a command's argument comes from when the user chose no row: the document that a button belongs to, or the document in front.
import type * as vscode from 'vscode';
import { activeDocument } from '../editor/documents.ts';
import type { Executions } from '../model/executions/executions.ts';
import {
  definitionTarget,
  deployedTarget,
  eventTarget,
  executionAddress,
  inputTarget,
  isTheirs,
  presetEnding,
} from './addresses.ts';

interface SubjectDeps {
  readonly executions: Pick<Executions, 'find'>;
}

function workflowSubject(uri: vscode.Uri): object | undefined {
  const input = inputTarget(uri);
  if (input) return { kind: 'workflow', ...input, inputUri: uri.toString() };
  const definition = definitionTarget(uri);
  if (definition) return { kind: 'workflow', ...definition, isAtOnce: !isTheirs(uri) };
  const deployed = deployedTarget(uri);
  return deployed && { kind: 'workflow', ...deployed };
}

/** The execution, with its node run and its workflow where they're known. */
function executionSubject({ executions }: SubjectDeps, uri: vscode.Uri): object | undefined {
  const address = executionAddress(uri);
  if (address === undefined) return undefined;
  const { target, nodeRunKey } = address;
  const workflowId = executions.find(target)?.workflowId ?? null;
  return { kind: 'execution', ...target, workflowId, nodeRunKey: nodeRunKey === '' ? null : nodeRunKey };
}

function eventSubject(uri: vscode.Uri): object | undefined {
  const event = eventTarget(uri);
  return event && { kind: 'event', connectionId: event.connectionId, eventId: event.key };
}

/** What a document is about, as plain data like a row's. Undefined for a document of others. */
function documentSubject(deps: SubjectDeps, uri: vscode.Uri): object | undefined {
  const preset = uri.path.endsWith(presetEnding)
    ? ({ kind: 'preset', fileUri: uri.toString() } as const)
    : undefined;
  return workflowSubject(uri) ?? executionSubject(deps, uri) ?? eventSubject(uri) ?? preset;
}

/**
 * `uri`: of the document whose title shows the button; otherwise the document in front counts. A selected row doesn't: nobody can tell
 * whether the user still thinks of it, and it has a menu and keys of its own.
 */
export function findSubject(deps: SubjectDeps, uri: vscode.Uri | undefined): object | undefined {
  const document = uri ?? activeDocument();
  return document && documentSubject(deps, document);
}
