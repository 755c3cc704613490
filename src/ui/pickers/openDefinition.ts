// Deploying uses the workflow on the service, without the unsaved edits of an open definition.
import * as vscode from 'vscode';
import type { WorkflowTarget } from '../../domain/targets.ts';
import { Cancelled, choose } from '../../editor/prompts/prompts.ts';
import { isOf, isTheirs } from '../addresses.ts';

/** Returns the open document of this workflow's definition. Its URI may contain earlier names. */
export function findOpenDefinition(target: WorkflowTarget): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find(
    ({ uri, isClosed }) => isOf(uri, target) && !isClosed && !isTheirs(uri),
  );
}

/** Asks whether to save unsaved edits first. Rejects with Cancelled on Escape, and if the save failed, which the editor has already shown. */
export async function settleUnsavedEdits(target: WorkflowTarget): Promise<void> {
  const document = findOpenDefinition(target);
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
