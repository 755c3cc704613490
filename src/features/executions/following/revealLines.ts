// Brings the lines of an execution into sight that the log channel has already.
import * as vscode from 'vscode';
import type { Disposable } from '../../../base/disposable.ts';
import { findLogEditor } from '../notices/failureItem.ts';

function reveal(editor: vscode.TextEditor, mark: string): boolean {
  const at = editor.document.getText().indexOf(mark);
  if (at === -1) return false;
  const { line } = editor.document.positionAt(at);
  const range = new vscode.Range(line, 0, line, 0);
  editor.selection = new vscode.Selection(range.start, range.end);
  editor.revealRange(range, vscode.TextEditorRevealType.AtTop);
  return true;
}

/** Scrolls to lines once the channel is in sight; what is asked for last counts. */
export class LineReveal implements Disposable {
  #waiting: Disposable | undefined;

  /** mark: what stands in each line of the execution. missing: called where no line has it. */
  reveal(mark: string, missing: () => void): void {
    this.#waiting?.dispose();
    const look = (): boolean => {
      const editor = findLogEditor();
      if (editor === undefined) return false;
      this.#waiting?.dispose();
      if (!reveal(editor, mark)) missing();
      return true;
    };
    if (look()) return;
    // The panel opens a moment after it's asked to.
    this.#waiting = vscode.window.onDidChangeVisibleTextEditors(look);
  }

  dispose(): void {
    this.#waiting?.dispose();
  }
}
