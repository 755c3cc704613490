// Opens a page of a service in the browser.
import * as vscode from 'vscode';
import { PlainError } from '../editor/plainError.ts';

/** `page`: undefined for a service without pages. Code gets the address only. */
export async function openPage(page: string | undefined, isInteractive: boolean): Promise<string> {
  if (page === undefined)
    throw new PlainError(vscode.l10n.t('This service has no page for it in a browser.'));
  if (isInteractive) await vscode.env.openExternal(vscode.Uri.parse(page, true));
  return page;
}
