// The node with the cursor is the selected one, and a node that's selected in the graph comes into sight.
import * as vscode from 'vscode';
import { combine, type Disposable } from '../../base/disposable.ts';
import type { NodeSelection } from '../../model/selection/selection.ts';
import { definitionTarget, isOf, isTheirs } from '../../ui/addresses.ts';
import type { App } from '../../ui/app.ts';
import type { DefinitionTexts } from '../../ui/definitionTexts.ts';

type NodeSelectionDeps = Pick<App, 'definitionTexts' | 'selection'>;

export function registerNodeSelection({
  definitionTexts,
  selection: selected,
}: NodeSelectionDeps): Disposable {
  return combine(
    definitionTexts.onDidRestCursor(({ document, selection }) => {
      const target = definitionTarget(document.uri);
      if (target === undefined) return;
      const node = definitionTexts.of(document).nodeAt(document.offsetAt(selection.active));
      selected.selectInDefinition({ target, nodeId: node?.id ?? null });
    }),
    selected.node.onDidChange((selection) => show(definitionTexts, selection)),
  );
}

/** Puts the cursor on a node that was selected in the graph, where its definition is in sight. The focus stays where it is. */
function show(texts: DefinitionTexts, selection: NodeSelection | null): void {
  if (selection?.by !== 'graph' || selection.nodeId === null) return;
  const { nodeId, target } = selection;
  for (const editor of vscode.window.visibleTextEditors) {
    const { document } = editor;
    if (!isOf(document.uri, target) || isTheirs(document.uri)) continue;
    const node = texts.of(document).byId.get(nodeId);
    if (node === undefined) continue;
    const { offset, length } = node.label;
    const range = new vscode.Range(document.positionAt(offset), document.positionAt(offset + length));
    editor.selection = new vscode.Selection(range.start, range.end);
    editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  }
}
