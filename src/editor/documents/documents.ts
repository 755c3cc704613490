import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import type { DocumentOpener } from './documentOpener.ts';

/** Returns the open document with this URI. */
export function findDocument(uri: vscode.Uri): vscode.TextDocument | undefined {
  const key = uri.toString();
  return vscode.workspace.textDocuments.find((document) => document.uri.toString() === key);
}

/** The last part of the path. */
export function baseName({ path }: vscode.Uri): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** The range of a part of the text, in UTF-16 units. */
export function rangeOf(
  document: Pick<vscode.TextDocument, 'positionAt'>,
  { offset, length }: { readonly offset: number; readonly length: number },
): vscode.Range {
  return new vscode.Range(document.positionAt(offset), document.positionAt(offset + length));
}

/** The same for a part with its end. */
export function rangeOfSpan(
  document: Pick<vscode.TextDocument, 'positionAt'>,
  { start, end }: { readonly start: number; readonly end: number },
): vscode.Range {
  return rangeOf(document, { offset: start, length: end - start });
}

/** What stands above the line of an offset, in this order. */
export function lensesAt(
  document: Pick<vscode.TextDocument, 'positionAt'>,
  offset: number,
  commands: readonly vscode.Command[],
): readonly vscode.CodeLens[] {
  const range = rangeOf(document, { offset, length: 0 });
  return commands.map((command) => new vscode.CodeLens(range, command));
}

/** The document of the active tab; of a comparison, the side with the cursor, or else the right one. */
export function activeDocument(): vscode.Uri | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  if (input instanceof vscode.TabInputText) return input.uri;
  if (!(input instanceof vscode.TabInputTextDiff)) return undefined;
  const cursor = vscode.window.activeTextEditor?.document.uri.toString();
  return input.original.toString() === cursor ? input.original : input.modified;
}

/** Shows a read-only document in the preview tab. Rejects with the error of its provider. */
export async function showDocument(documents: Pick<DocumentOpener, 'open'>, uri: vscode.Uri): Promise<void> {
  await vscode.window.showTextDocument(await documents.open(uri), { preview: true });
}

/** True for a tab that shows the document, and for a comparison with the document on one side. */
function isShown(uri: vscode.Uri, { input }: vscode.Tab): boolean {
  const key = uri.toString();
  if (input instanceof vscode.TabInputText) return input.uri.toString() === key;
  if (!(input instanceof vscode.TabInputTextDiff)) return false;
  return input.original.toString() === key || input.modified.toString() === key;
}

function tabsOf(uri: vscode.Uri): readonly vscode.Tab[] {
  return vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.filter((tab) => isShown(uri, tab)));
}

/** True while a tab shows the document. */
export function isInTab(uri: vscode.Uri): boolean {
  return tabsOf(uri).length > 0;
}

/** Replaces the whole text with an edit that Undo reverts. Returns false when the editor rejects the edit. */
export async function replaceText({ uri, lineCount }: vscode.TextDocument, text: string): Promise<boolean> {
  const edit = new vscode.WorkspaceEdit();
  edit.replace(uri, new vscode.Range(0, 0, lineCount, 0), text);
  return vscode.workspace.applyEdit(edit);
}

/** Closes the tabs that show the document alone; comparisons stay open. */
export async function closeTabs(uri: vscode.Uri): Promise<void> {
  await vscode.window.tabGroups.close(
    tabsOf(uri).filter(({ input }) => input instanceof vscode.TabInputText),
  );
}

/** Returns the tabs that compare these two documents. */
export function comparisonsOf(original: vscode.Uri, modified: vscode.Uri): readonly vscode.Tab[] {
  return tabsOf(modified).filter(
    ({ input }) =>
      input instanceof vscode.TabInputTextDiff &&
      input.original.toString() === original.toString() &&
      input.modified.toString() === modified.toString(),
  );
}

/** Runs work with a signal that is aborted, with the given reason, when the editor cancels the token. */
export async function withSignal<T>(
  token: vscode.CancellationToken,
  work: (signal: AbortSignal) => Promise<T>,
  reason?: Error,
): Promise<T> {
  const controller = new AbortController();
  const subscription = token.onCancellationRequested(() => controller.abort(reason));
  try {
    return await work(controller.signal);
  } finally {
    subscription.dispose();
  }
}

/** Reports why a document can't be shown, if its tab is the active one of its group. */
export function onDidFailInSight(opener: DocumentOpener, report: (error: Error) => void): Disposable {
  return opener.onDidFail(({ uri, error }) => {
    if (tabsOf(uri).some(({ isActive }) => isActive)) report(error);
  });
}

/** Replaces one document with another in all tabs; the active tabs and the focus stay as they are. */
export async function replaceInTabs(from: vscode.Uri, to: vscode.Uri): Promise<void> {
  const replaced = (uri: vscode.Uri): vscode.Uri => (uri.toString() === from.toString() ? to : uri);
  for (const { input, group, label, isActive, isPreview } of tabsOf(from)) {
    const how = {
      viewColumn: group.viewColumn,
      preview: isPreview,
      preserveFocus: true,
      background: !isActive,
    };
    if (input instanceof vscode.TabInputTextDiff) {
      const sides = [replaced(input.original), replaced(input.modified)] as const;
      await vscode.commands.executeCommand('vscode.diff', ...sides, label, how);
    } else await vscode.commands.executeCommand('vscode.open', to, how);
  }
  await vscode.window.tabGroups.close(tabsOf(from), true);
}
