import type * as vscode from 'vscode';
import type { RowElement } from '../../src/editor/tree/treeElements.ts';
import { RevealingView } from './memory/revealingView.ts';

type Provider = vscode.TreeDataProvider<RowElement>;

/** The providers of the trees by their view's id, for a test to ask. */
export const treeProviders = new Map<string, Provider>();

export function createTreeView(id: string, options: { readonly treeDataProvider: Provider }): RevealingView {
  treeProviders.set(id, options.treeDataProvider);
  return new RevealingView();
}
