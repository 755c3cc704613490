// Tells menus whether the workflow whose document is in front is archived.
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { activeDocument } from '../../editor/documents/documents.ts';
import { definitionTarget, inputTarget } from '../../ui/addresses.ts';
import type { App } from '../../ui/app.ts';

export function registerArchivedInFront({
  contextKeys,
  workflows,
}: Pick<App, 'contextKeys' | 'workflows'>): Disposable {
  const owned = new DisposableStore();
  const show = (): void => {
    const uri = activeDocument();
    const target = uri && (definitionTarget(uri) ?? inputTarget(uri));
    contextKeys('isArchivedInFront', target !== undefined && workflows.find(target)?.isArchived === true);
  };
  owned.add(vscode.window.tabGroups.onDidChangeTabs(show));
  owned.add(vscode.window.onDidChangeActiveTextEditor(show));
  owned.add(workflows.onDidChangeItems(show));
  show();
  return owned;
}
