// Where a command's argument comes from when the user chose no row: the document that a button belongs to, or the document in front.
import type * as vscode from 'vscode';
import { activeDocument } from '../editor/documents/documents.ts';
import type { ExecutionTarget, WorkflowTarget } from '../domain/targets.ts';
import type { Executions } from '../model/executions/executions.ts';
import { type TestName, testNameOf } from './testNames.ts';
import { deployedTarget, eventTarget, executionAddress, inputTarget, statisticsTarget } from './addresses.ts';
import { presetEnding } from '../model/inputs/presetChoices.ts';
import type { DefinitionTargets } from './definitionTargets.ts';

interface SubjectDeps {
  readonly definitionTargets: DefinitionTargets;
  readonly executions: Pick<Executions, 'find'>;
}

/** What a document is about, as plain data like a row's. */
export type Subject =
  | (WorkflowTarget & {
      readonly kind: 'workflow';
      /** Of the input document. */
      readonly inputUri?: string;
      /** Whether it's executed without an input document. */
      readonly isAtOnce?: boolean;
      /** The URI of the file that is linked to it. */
      readonly linkedFile?: string;
    })
  | (ExecutionTarget & {
      readonly kind: 'execution';
      /** null: not known. */
      readonly workflowId: string | null;
      /** null: the execution as a whole. */
      readonly nodeRunKey: string | null;
    })
  | { readonly kind: 'event'; readonly connectionId: string; readonly eventId: string }
  | { readonly kind: 'preset'; readonly fileUri: string }
  /** A file or a folder that is none of these. */
  | { readonly kind: 'resource'; readonly folder: string }
  | (TestName & { readonly kind: 'test' });

function workflowSubject({ definitionTargets }: SubjectDeps, uri: vscode.Uri): Subject | undefined {
  const input = inputTarget(uri);
  if (input) return { kind: 'workflow', ...input, inputUri: uri.toString() };
  const definition = definitionTargets.of(uri);
  if (definition)
    return {
      kind: 'workflow',
      ...definition,
      isAtOnce: definitionTargets.ofEdited(uri) !== undefined,
      ...(definitionTargets.isLinkedFile(uri) ? { linkedFile: uri.toString() } : {}),
    };
  const other = deployedTarget(uri) ?? statisticsTarget(uri);
  return other && { kind: 'workflow', ...other };
}

/** The execution, with its node run and its workflow where they're known. */
function executionSubject({ executions }: SubjectDeps, uri: vscode.Uri): Subject | undefined {
  const address = executionAddress(uri);
  if (address === undefined) return undefined;
  const { target, nodeRunKey } = address;
  const workflowId = executions.find(target)?.workflowId ?? null;
  return { kind: 'execution', ...target, workflowId, nodeRunKey: nodeRunKey === '' ? null : nodeRunKey };
}

function eventSubject(uri: vscode.Uri): Subject | undefined {
  const event = eventTarget(uri);
  return event && { kind: 'event', connectionId: event.connectionId, eventId: event.key };
}

function presetSubject(uri: vscode.Uri): Subject | undefined {
  return uri.path.endsWith(presetEnding) ? { kind: 'preset', fileUri: uri.toString() } : undefined;
}

/** Returns undefined for a document of others. */
function documentSubject(deps: SubjectDeps, uri: vscode.Uri): Subject | undefined {
  return workflowSubject(deps, uri) ?? executionSubject(deps, uri) ?? eventSubject(uri) ?? presetSubject(uri);
}

/**
 * `about`: a test, or the document whose title shows the button; otherwise the document in front counts. A selected row doesn't: nobody can tell
 * whether the user still thinks of it, and it has a menu and keys of its own.
 */
export function findSubject(
  deps: SubjectDeps,
  about: vscode.Uri | Pick<vscode.TestItem, 'id'> | undefined,
): Subject | undefined {
  if (about !== undefined && 'id' in about) return { kind: 'test', ...testNameOf(about.id) };
  if (about === undefined) {
    const document = activeDocument();
    return document && documentSubject(deps, document);
  }
  return documentSubject(deps, about) ?? { kind: 'resource', folder: about.toString() };
}
