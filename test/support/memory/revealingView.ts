// A view that draws at once what it's asked to reveal, and announces what is selected as the editor does.
import { Emitter } from '../../../src/base/event.ts';
import type { RowElement } from '../../../src/editor/tree/treeElements.ts';
import { MemoryTreeView } from './treeView.ts';

interface Options {
  readonly select?: boolean;
  readonly focus?: boolean | number;
  readonly expand?: boolean | number;
}

export class RevealingView extends MemoryTreeView {
  readonly #selections = new Emitter<{ readonly selection: readonly RowElement[] }>();
  readonly onDidChangeSelection = this.#selections.event;
  /** The keys of the rows below their connection, in the order of the requests. */
  readonly revealed: string[] = [];
  selection: readonly RowElement[] = [];
  /** As where the editor does what it's asked for at once, but says so late. */
  isLate = false;
  readonly #late: (() => void)[] = [];

  reveal(row: RowElement, { select = false, expand }: Options = {}): Promise<void> {
    this.revealed.push(row.key.split('/').slice(2).join('/'));
    if (expand === true) this.unfold(row);
    if (select) this.select(row);
    return this.isLate ? new Promise((resolve) => this.#late.push(resolve)) : Promise.resolve();
  }

  /** Responds to all requests that it was late with. */
  respond(): void {
    for (const resolve of this.#late.splice(0)) resolve();
  }

  select(...selection: readonly RowElement[]): void {
    const isSame = selection.length === this.selection.length;
    if (isSame && selection.every((row, at) => row === this.selection[at])) return;
    this.selection = selection;
    this.#selections.fire({ selection });
  }

  /** Draws all rows anew, with what the editor announces meanwhile. */
  redraw(): void {
    const { selection } = this;
    this.select();
    this.select(...selection);
  }
}
