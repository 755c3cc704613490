// What isn't saved is in no file, so it's neither compared nor pushed.
import * as vscode from 'vscode';
import { plainLine } from '../../base/format.ts';
import { findDocument } from '../../editor/documents/documents.ts';
import { askInDialog } from '../../editor/prompts/dialogs.ts';
import { Cancelled } from '../../editor/prompts/prompts.ts';
import { workflowFileEnding } from '../../workflowFiles/fileNames.ts';
import type { FolderStates } from './folderStates.ts';
import type { LinkedStates } from './linkedStates.ts';

/** Offers to save the folder's files that have unsaved edits. Rejects with Cancelled if the user wants neither, and if a save fails. */
export async function offerToSave(
  linked: Pick<LinkedStates, 'folderOf'>,
  states: FolderStates,
): Promise<void> {
  const unsaved = vscode.workspace.textDocuments.filter(
    ({ uri, isDirty }) => isDirty && uri.path.endsWith(workflowFileEnding) && linked.folderOf(uri) === states,
  );
  const [first, ...others] = unsaved;
  if (first === undefined) return;
  const name = plainLine(vscode.workspace.asRelativePath(first.uri), 80);
  const isToSave = await askInDialog({
    question:
      others.length === 0
        ? vscode.l10n.t('"{0}" has unsaved edits.', name)
        : vscode.l10n.t('{0} files have unsaved edits.', unsaved.length),
    detail: vscode.l10n.t('Only what is saved is compared with the service.'),
    buttons: [
      { label: vscode.l10n.t('Save'), value: true },
      { label: vscode.l10n.t('Go On Without'), value: false },
    ],
  });
  if (isToSave === undefined) throw new Cancelled();
  if (isToSave) for (const document of unsaved) await save(document);
}

/** For a command on this very file. Rejects with Cancelled if the save fails. */
export async function saveFile(uri: vscode.Uri): Promise<void> {
  const document = findDocument(uri);
  if (document?.isDirty === true) await save(document);
}

/** The editor has already shown why a save failed. What is on the disk then isn't what the user sees. */
async function save(document: vscode.TextDocument): Promise<void> {
  if (!(await document.save())) throw new Cancelled();
}
