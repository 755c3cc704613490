// Offers to create a new workflow from the text of an open definition whose workflow was deleted.
import * as vscode from 'vscode';
import type { JsonObject } from '../../base/json.ts';
import { parseDefinition } from '../../model/definitions/definitionText.ts';
import { plainLine } from '../../editor/format.ts';
import type { Deletion } from './definitionFiles.ts';
import { closeTabs, replaceText } from '../../editor/documents.ts';
import { Questions } from './questions.ts';
import { PlainError } from '../../editor/plainError.ts';
import { requireTarget } from '../../ui/addresses.ts';

/** Creates a workflow from a definition. text: the definition as written. Returns the URI of its document. */
type Recreate = (connectionId: string, definition: JsonObject, text: string) => Promise<vscode.Uri>;

/** Asks the user, one question per document at a time. Escape leaves the document unchanged, and the next save asks again. */
export function createDeletionResolver(
  recreate: Recreate,
  present: (error: unknown) => Promise<void>,
): (deletion: Deletion) => void {
  const questions = new Questions();
  const resolve = async (deletion: Deletion): Promise<void> => {
    const { document } = deletion;
    if (!(await isWanted(deletion)) || document.isClosed) return;
    const text = document.getText();
    const definition = parseDefinition(text, undefined);
    if (definition === undefined)
      throw new PlainError(
        vscode.l10n.t('Your text is not valid JSON any more, so no workflow can be made of it.'),
      );
    const { connectionId } = requireTarget(document.uri);
    await moveText(document, await recreate(connectionId, definition, text));
  };
  return (deletion) => {
    questions.ask(deletion.document, () => resolve(deletion)).catch(present);
  };
}

async function isWanted({ name }: Deletion): Promise<boolean> {
  const picked = await vscode.window.showQuickPick(
    [
      {
        label: vscode.l10n.t('$(add) Create It Anew'),
        detail: vscode.l10n.t('Makes a new workflow of your text and opens it in place of this one.'),
      },
    ],
    {
      title: vscode.l10n.t('"{0}" was deleted on the service', plainLine(name, 80)),
      placeHolder: vscode.l10n.t('Nothing was written. Your text stays open until you close it.'),
      ignoreFocusOut: true,
    },
  );
  return picked !== undefined;
}

/**
 * Moves the text into the new document and closes the old one. The new document is unsaved if the service keeps something else
 * than the text says.
 */
async function moveText(document: vscode.TextDocument, uri: vscode.Uri): Promise<void> {
  const text = document.getText();
  const { document: created } = await vscode.window.showTextDocument(uri, { preview: false });
  if (created.getText() !== text && !(await replaceText(created, text))) return;
  await vscode.window.showTextDocument(document);
  await vscode.commands.executeCommand('workbench.action.files.revert');
  await closeTabs(document.uri);
  await vscode.window.showTextDocument(created);
}
