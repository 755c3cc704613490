import * as vscode from 'vscode';
import { countBefore } from '../../base/sorted.ts';

/** Where the parts of a text are in a document with that text, which needn't be open. */
export class TextPositions {
  readonly #starts: readonly number[];

  constructor(text: string) {
    const ends = text.matchAll(/\r\n|\r|\n/g);
    this.#starts = [0, ...Array.from(ends, (end) => end.index + end[0].length)];
  }

  /** `offset`: in UTF-16 units. */
  at(offset: number): vscode.Position {
    const line = Math.max(0, countBefore(this.#starts, (start) => start <= offset) - 1);
    return new vscode.Position(line, offset - (this.#starts[line] ?? 0));
  }

  range({ offset, length }: { readonly offset: number; readonly length: number }): vscode.Range {
    return new vscode.Range(this.at(offset), this.at(offset + length));
  }
}
