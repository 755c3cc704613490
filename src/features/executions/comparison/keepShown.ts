import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../../base/disposable.ts';
import { activeDocument } from '../../../editor/documents/documents.ts';
import type { App } from '../../../ui/app.ts';
import { type ComparedDocuments, targetsOf } from './comparedDocuments.ts';

/** Tells which comparison was in front last, as long as it has a tab. */
export function keepShown({ selection }: Pick<App, 'selection'>, compared: ComparedDocuments): Disposable {
  const owned = new DisposableStore();
  let current: vscode.Uri | undefined;
  const show = (): void => {
    const shown = current && compared.find(current);
    const [first] = shown?.comparison.different ?? [];
    const firstDifferentNodeId = first === undefined ? null : (first.right ?? first.left)?.nodeId;
    selection.selectComparison(
      shown === undefined
        ? null
        : { left: shown.left, right: shown.right, firstDifferentNodeId: firstDifferentNodeId ?? null },
    );
  };
  const isOpen = (uri: vscode.Uri): boolean =>
    vscode.window.tabGroups.all.some(({ tabs }) =>
      tabs.some(
        ({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === uri.toString(),
      ),
    );
  const look = (): void => {
    const front = activeDocument();
    const next = front !== undefined && targetsOf(front) !== undefined ? front : current;
    const open = next !== undefined && isOpen(next) ? next : undefined;
    if (open?.toString() === current?.toString()) return;
    current = open;
    show();
  };
  owned.add(vscode.window.tabGroups.onDidChangeTabs(look));
  owned.add(vscode.window.tabGroups.onDidChangeTabGroups(look));
  owned.add(
    compared.onDidShow((uri) => {
      look();
      if (uri.toString() === current?.toString()) show();
    }),
  );
  look();
  return owned;
}
