// The node with the cursor is the selected one, and a node that's selected in the graph comes into sight.
import * as vscode from 'vscode';
import { combine, type Disposable } from '../../base/disposable.ts';
import { rangeOf } from '../../editor/documents/documents.ts';
import type { NodeSelection } from '../../model/selection/selection.ts';
import type { App } from '../../ui/app.ts';

type NodeSelectionDeps = Pick<App, 'definitionTargets' | 'definitionTexts' | 'selection'>;

export function registerNodeSelection(deps: NodeSelectionDeps): Disposable {
  const { definitionTargets, definitionTexts, selection: selected } = deps;
  return combine(
    definitionTexts.onDidRestCursor(({ document, selection }) => {
      const target = definitionTargets.of(document.uri);
      if (target === undefined) return;
      const node = definitionTexts.of(document).nodeAt(document.offsetAt(selection.active));
      selected.selectInDefinition({ target, nodeId: node?.id ?? null });
    }),
    selected.node.onDidChange((selection) => show(deps, selection)),
  );
}

/** Puts the cursor on a node that was selected in the graph, where its definition is in sight. The focus stays where it is. */
function show(
  { definitionTargets, definitionTexts }: NodeSelectionDeps,
  selection: NodeSelection | null,
): void {
  if (selection?.by !== 'graph' || selection.nodeId === null) return;
  const { nodeId, target } = selection;
  for (const editor of vscode.window.visibleTextEditors) {
    const { document } = editor;
    if (!definitionTargets.isOf(document.uri, target)) continue;
    const node = definitionTexts.of(document).byId.get(nodeId);
    if (node === undefined) continue;
    const range = rangeOf(document, node.label);
    editor.selection = new vscode.Selection(range.start, range.end);
    editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  }
}
