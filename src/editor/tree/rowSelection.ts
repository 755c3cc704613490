import { EventEmitter } from 'vscode';
import type * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { RowElement } from './treeElements.ts';

type View = Pick<vscode.TreeView<RowElement>, 'visible' | 'reveal' | 'onDidChangeSelection'>;

/** Tells the rows that the user selects in a view from those that are selected for them. */
export class RowSelection implements Disposable {
  readonly #view: View;
  readonly #owned = new DisposableStore();
  readonly #choices = this.#owned.add(new EventEmitter<readonly RowElement[]>());
  /** Fires with all selected rows when the user has selected another one. */
  readonly onDidChoose = this.#choices.event;
  #selected: ReadonlySet<string> = new Set();
  /** The key of the row that is being revealed. */
  #revealed: string | undefined;

  constructor(view: View) {
    this.#view = view;
    this.#owned.add(view.onDidChangeSelection(({ selection }) => this.#change(selection)));
  }

  get visible(): boolean {
    return this.#view.visible;
  }

  has({ key }: RowElement): boolean {
    return this.#selected.has(key);
  }

  /** As the view's own. A row that it selects isn't chosen by the user. One at a time. */
  async reveal(row: RowElement, options: Parameters<View['reveal']>[1]): Promise<void> {
    this.#revealed = row.key;
    try {
      // The editor announces the selection before it responds.
      await this.#view.reveal(row, options);
    } finally {
      this.#revealed = undefined;
    }
  }

  dispose(): void {
    this.#owned.dispose();
  }

  #change(selection: readonly RowElement[]): void {
    // While rows are drawn anew the editor announces that none is selected, and then the same ones again.
    if (selection.length === 0) return;
    const isChosen = selection.some((row) => !this.has(row) && row.key !== this.#revealed);
    this.#selected = new Set(selection.map(({ key }) => key));
    if (isChosen) this.#choices.fire(selection);
  }
}
