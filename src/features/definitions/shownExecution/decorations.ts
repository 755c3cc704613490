// Draws what an execution says within its definition.
import * as vscode from 'vscode';
import { stringifyJson } from '../../../base/json.ts';
import { type Disposable, DisposableStore } from '../../../base/disposable.ts';
import { rangeOf } from '../../../editor/documents/documents.ts';
import { onDidChange, settings } from '../../../editor/settings.ts';
import type { DrawnExecution, DrawnExecutions } from './drawnExecutions.ts';
import { findUnreached, type LineEnd, renderLineEnds } from './renderInline.ts';

/** The texts at the ends of lines, by line. */
type Texts = ReadonlyMap<number, LineEnd>;

/** Draws on the definitions in sight, and only when something else is to be seen. */
export function registerDecorations(drawnExecutions: DrawnExecutions): Disposable {
  const owned = new DisposableStore();
  const drawings = owned.add(new Drawings());
  const draw = (editor: vscode.TextEditor): void => {
    const drawn = settings.showExecution() ? drawnExecutions.find(editor.document) : undefined;
    if (drawn === undefined) drawings.clear(editor);
    else drawings.draw(editor, drawn);
  };
  const drawAll = (): void => vscode.window.visibleTextEditors.forEach(draw);
  owned.add(
    drawnExecutions.onDidChange(({ document }) => {
      for (const editor of vscode.window.visibleTextEditors) if (editor.document === document) draw(editor);
    }),
  );
  owned.add(vscode.window.onDidChangeVisibleTextEditors(drawAll));
  owned.add(onDidChange(settings.showExecution, drawAll));
  drawAll();
  return owned;
}

class Drawings implements Disposable {
  readonly #texts = vscode.window.createTextEditorDecorationType({
    after: { color: new vscode.ThemeColor('editorCodeLens.foreground'), margin: '0 0 0 3ch' },
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
  });
  readonly #unreached = vscode.window.createTextEditorDecorationType({ opacity: '0.6' });
  /** What each editor shows. */
  readonly #drawings = new WeakMap<vscode.TextEditor, string>();

  draw(editor: vscode.TextEditor, drawn: DrawnExecution): void {
    const { document } = drawn;
    const texts = textsByLine(document, renderLineEnds(drawn));
    const unreached = findUnreached(drawn).map((node) => rangeOf(document, node));
    const drawing = stringifyJson([[...texts], unreached]);
    if (this.#drawings.get(editor) === drawing) return;
    this.#drawings.set(editor, drawing);
    editor.setDecorations(
      this.#texts,
      [...texts].map(([line, end]) => toDecoration(document, line, end)),
    );
    editor.setDecorations(this.#unreached, unreached);
  }

  clear(editor: vscode.TextEditor): void {
    if (!this.#drawings.delete(editor)) return;
    editor.setDecorations(this.#texts, []);
    editor.setDecorations(this.#unreached, []);
  }

  dispose(): void {
    this.#texts.dispose();
    this.#unreached.dispose();
  }
}

/** A line on which several nodes stand says nothing: nobody could tell which one is meant. */
function textsByLine(document: vscode.TextDocument, ends: readonly LineEnd[]): Texts {
  const byLine = Map.groupBy(ends, ({ offset }) => document.positionAt(offset).line);
  return new Map(
    [...byLine].flatMap(([line, [end, ...others]]) =>
      end === undefined || others.length > 0 ? [] : [[line, end] as const],
    ),
  );
}

function toDecoration(
  document: vscode.TextDocument,
  line: number,
  { text, hasFailed }: LineEnd,
): vscode.DecorationOptions {
  const { end } = document.lineAt(line).range;
  const color = hasFailed ? { color: new vscode.ThemeColor('editorError.foreground') } : {};
  return { range: new vscode.Range(end, end), renderOptions: { after: { contentText: text, ...color } } };
}
