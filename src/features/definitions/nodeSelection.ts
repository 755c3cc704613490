// The node with the cursor is the selected one, and a node that's selected in the graph comes into sight.
import * as vscode from 'vscode';
import { type Disposable, DisposableStore, toDisposable } from '../../base/disposable.ts';
import type { NodeSelection } from '../../model/selection/selection.ts';
import { definitionTarget, isOf, isTheirs } from '../../ui/addresses.ts';
import type { App } from '../../ui/app.ts';
import { findNodeAt, findNodePositions } from './lastRun/nodePositions.ts';

type NodeSelectionDeps = Pick<App, 'clock' | 'selection'>;

/** The text is searched this many milliseconds after the cursor has come to rest. */
const settleMs = 150;

export function registerNodeSelection({ clock, selection: selected }: NodeSelectionDeps): Disposable {
  const owned = new DisposableStore();
  let timer: Disposable | undefined;
  const read = (editor: vscode.TextEditor): void => {
    const { document, selection } = editor;
    const target = definitionTarget(document.uri);
    if (target === undefined || document.isClosed) return;
    const text = document.getText();
    const node = findNodeAt(findNodePositions(text), text, document.offsetAt(selection.active));
    selected.selectInDefinition({ target, nodeId: node?.nodeId ?? null });
  };
  const readSoon = (editor: vscode.TextEditor | undefined): void => {
    if (editor === undefined || editor !== vscode.window.activeTextEditor) return;
    const { uri } = editor.document;
    if (definitionTarget(uri) === undefined || isTheirs(uri)) return;
    timer?.dispose();
    timer = clock.schedule(() => read(editor), settleMs);
  };
  owned.add(vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => readSoon(textEditor)));
  owned.add(vscode.window.onDidChangeActiveTextEditor(readSoon));
  owned.add(selected.node.onDidChange((selection) => show(selection)));
  owned.add(toDisposable(() => timer?.dispose()));
  readSoon(vscode.window.activeTextEditor);
  return owned;
}

/** Puts the cursor on a node that was selected in the graph, where its definition is in sight. The focus stays where it is. */
function show(selection: NodeSelection | null): void {
  if (selection?.by !== 'graph' || selection.nodeId === null) return;
  const { nodeId, target } = selection;
  for (const editor of vscode.window.visibleTextEditors) {
    const { document } = editor;
    if (!isOf(document.uri, target) || isTheirs(document.uri)) continue;
    const node = findNodePositions(document.getText()).find((each) => each.nodeId === nodeId);
    if (node === undefined) continue;
    const { offset, length } = node.label;
    const range = new vscode.Range(document.positionAt(offset), document.positionAt(offset + length));
    editor.selection = new vscode.Selection(range.start, range.end);
    editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  }
}
