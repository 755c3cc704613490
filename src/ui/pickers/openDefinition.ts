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
  { connections, definitionFiles, services, workflows }: ServiceDocumentDeps,
  target: WorkflowTarget,
): Promise<vscode.TextDocument> {
  const { connectionId, workflowId } = target;
  const name = workflows.find(target)?.name ?? workflowId;
  const format = services.traits(connectionId).definitionFormat;
  const uri = definitionUri(target, connectionName(connections, connectionId), name, format);
  try {
    return findServiceDocument(target) ?? (await definitionFiles.open(uri));
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
