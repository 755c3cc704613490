// The document of a workflow's definition, and its unsaved edits, without which the service deploys.
import * as vscode from 'vscode';
import { isServiceError } from '../../domain/errors.ts';
import type { WorkflowTarget } from '../../domain/targets.ts';
import { Cancelled, choose } from '../../editor/prompts/prompts.ts';
import { definitionUri, isOf, isTheirs } from '../addresses.ts';
import type { App } from '../app.ts';
import { connectionName } from '../../words/names.ts';
import { isJsonObject, type JsonObject, parseJson } from '../../base/json.ts';
import { notSent } from '../notSent.ts';

/** Returns the open document of the definition that the service has. Its URI may contain earlier names. */
export function findServiceDocument(target: WorkflowTarget): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find(
    ({ uri, isClosed }) => isOf(uri, target) && !isClosed && !isTheirs(uri),
  );
}

/** The URI of that document, with the current names of its connection and workflow. */
export function serviceUri(
  { connections, services }: Pick<App, 'connections' | 'services'>,
  target: WorkflowTarget,
  workflowName: string,
): vscode.Uri {
  const { connectionId } = target;
  const format = services.traits(connectionId).definitionFormat;
  return definitionUri(target, connectionName(connections, connectionId), workflowName, format);
}

type ServiceDocumentDeps = Pick<App, 'connections' | 'definitionFiles' | 'services' | 'workflows'>;

/**
 * Returns the document of a workflow's definition: the open one, else the linked file, else the service's own. Rejects with the ServiceError
 * of the read.
 */
export async function openDefinition(
  deps: ServiceDocumentDeps & Pick<App, 'definitionTargets'>,
  target: WorkflowTarget,
): Promise<vscode.TextDocument> {
  const { definitionTargets } = deps;
  return (
    definitionTargets.findOpen(target) ??
    (await definitionTargets.openFile(target)) ??
    openServiceDocument(deps, target)
  );
}

/** Returns the document of the definition that the service has, which is read if it isn't open. Rejects with the ServiceError of the read. */
export async function openServiceDocument(
  deps: ServiceDocumentDeps,
  target: WorkflowTarget,
): Promise<vscode.TextDocument> {
  const name = deps.workflows.find(target)?.name ?? target.workflowId;
  try {
    return findServiceDocument(target) ?? (await deps.definitionFiles.open(serviceUri(deps, target, name)));
  } catch (error) {
    throw error instanceof Error && isServiceError(error.cause) ? error.cause : error;
  }
}

/** Asks whether to save unsaved edits first. Rejects with Cancelled on Escape, and if the save failed, which the editor has already shown. */
export async function settleUnsavedEdits(target: WorkflowTarget): Promise<void> {
  const document = findServiceDocument(target);
  if (document?.isDirty !== true) return;
  const isToBeSaved = await choose(
    vscode.l10n.t('The definition has unsaved changes. What do you want to deploy?'),
    [
      {
        icon: 'save',
        label: vscode.l10n.t('Save and Deploy'),
        detail: vscode.l10n.t('Saves the definition, then deploys it.'),
        value: true,
      },
      {
        icon: 'rocket',
        label: vscode.l10n.t('Deploy Saved Version'),
        detail: vscode.l10n.t('Your changes stay unsaved in the editor.'),
        value: false,
      },
    ],
  );
  if (isToBeSaved && !(await document.save())) throw new Cancelled();
}

/** Returns undefined if the definition isn't open. Throws a PlainError if its text isn't a JSON object. */
export function readOpenDefinition(
  { definitionTargets }: Pick<App, 'definitionTargets'>,
  target: WorkflowTarget,
): JsonObject | undefined {
  const text = definitionTargets.findOpen(target)?.getText();
  if (text === undefined) return undefined;
  const definition = parseJson(text);
  if (isJsonObject(definition)) return definition;
  throw notSent('definition');
}
