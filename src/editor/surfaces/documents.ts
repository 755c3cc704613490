// How a document comes on the screen: one of ours by its address, or a text that is nobody's file.
import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import type { LazyDocuments } from './lazySurfaces.ts';
import type { Openings } from './openings.ts';

/** The document of an address, if it is open. */
export function findDocument(uri: vscode.Uri): vscode.TextDocument | undefined {
  const key = uri.toString();
  return vscode.workspace.textDocuments.find((document) => document.uri.toString() === key);
}

/** Shows what can only be read, in the tab that the next one may take; rejects with what its provider failed with. */
export async function showDocument(documents: Pick<LazyDocuments, 'open'>, uri: vscode.Uri): Promise<void> {
  await vscode.window.showTextDocument(await documents.open(uri), { preview: true });
}

/** Opens an untitled document in the language of its content. */
export async function showText(content: string, language: 'plaintext' | 'json'): Promise<void> {
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ content, language }));
}

/** What shows a document: a tab of its own, or one side of a comparison. */
function isShown(uri: vscode.Uri, { input }: vscode.Tab): boolean {
  const key = uri.toString();
  if (input instanceof vscode.TabInputText) return input.uri.toString() === key;
  if (!(input instanceof vscode.TabInputTextDiff)) return false;
  return input.original.toString() === key || input.modified.toString() === key;
}

function tabsOf(uri: vscode.Uri): readonly vscode.Tab[] {
  return vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.filter((tab) => isShown(uri, tab)));
}

/** Hands on why a document cannot be shown that stands in front of somebody. */
export function onDidFailInSight(openings: Openings, tell: (error: Error) => void): Disposable {
  return openings.onDidFail(({ uri, error }) => {
    if (tabsOf(uri).some(({ isActive }) => isActive)) tell(error);
  });
}

/** Puts one document in the place of another, wherever that is shown; what is in front and where the keyboard is stay as they are. */
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
