// Sets the selection of an editor, and waits until it's drawn: keys go where it's drawn.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { page } from './page.ts';

async function setSelection(editor: vscode.TextEditor, start: number, end: number): Promise<void> {
  const position = editor.document.positionAt(end);
  editor.selection = new vscode.Selection(editor.document.positionAt(start), position);
  editor.revealRange(editor.selection, vscode.TextEditorRevealType.InCenter);
  const selected = start === end ? '' : ` (${end - start} selected)`;
  const place = `Ln ${position.line + 1}, Col ${position.character + 1}${selected}`;
  await page.waitFor(`.statusbar-item :text-is(${JSON.stringify(place)})`);
  await page.waitFor('.monaco-editor.focused');
}

function lastPlaceOf({ document }: vscode.TextEditor, text: string): number {
  const at = document.getText().lastIndexOf(text);
  assert.ok(at >= 0, text);
  return at;
}

/** Selects the last place where a text stands. */
export function selectLast(editor: vscode.TextEditor, text: string): Promise<void> {
  const at = lastPlaceOf(editor, text);
  return setSelection(editor, at, at + text.length);
}

/** Puts the cursor behind the last place where a text stands. */
export function goBehind(editor: vscode.TextEditor, text: string): Promise<void> {
  const end = lastPlaceOf(editor, text) + text.length;
  return setSelection(editor, end, end);
}
