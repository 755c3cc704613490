// Where a command's argument comes from when the user chose no row: the document that a button belongs to, the document in front, or
// the selected row.
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
  readonly views: Readonly<
    Record<string, { readonly view: Pick<vscode.TreeView<unknown>, 'visible' | 'selection'> }>
  >;
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

/** The only selected row of the visible views. With another one selected elsewhere it isn't clear which is meant. */
function selectedRow(views: SubjectDeps['views']): unknown {
  const rows = Object.values(views).flatMap(({ view }) => (view.visible ? view.selection : []));
  return rows.length === 1 ? rows[0] : undefined;
}

/** `uri`: of the document whose title shows the button; otherwise the document in front counts, and without one the selected row. */
export function findSubject(deps: SubjectDeps, uri: vscode.Uri | undefined): unknown {
  const document = uri ?? activeDocument();
  return document === undefined ? selectedRow(deps.views) : documentSubject(deps, document);
}
