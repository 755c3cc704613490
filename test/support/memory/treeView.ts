// A view as the editor's, as far as trees use it: what is shown around the rows, and rows that are unfolded by hand.
import { Emitter } from '../../../src/base/event.ts';
import type { ListTreeView } from '../../../src/editor/tree/tree.ts';
import type { RowElement } from '../../../src/editor/tree/treeElements.ts';

export class MemoryTreeView implements ListTreeView {
  readonly #visibility = new Emitter<{ readonly visible: boolean }>();
  readonly #expanded = new Emitter<{ readonly element: RowElement }>();
  readonly #collapsed = new Emitter<{ readonly element: RowElement }>();
  readonly onDidChangeVisibility = this.#visibility.event;
  readonly onDidExpandElement = this.#expanded.event;
  readonly onDidCollapseElement = this.#collapsed.event;
  /** Every message that was set, also one that was there already. */
  readonly messages: string[] = [];
  visible = true;
  description = '';
  badge: ListTreeView['badge'];

  get message(): string {
    return this.messages.at(-1) ?? '';
  }

  set message(message: string) {
    this.messages.push(message);
  }

  setVisible(visible: boolean): void {
    this.visible = visible;
    this.#visibility.fire({ visible });
  }

  unfold(element: RowElement): void {
    this.#expanded.fire({ element });
  }

  fold(element: RowElement): void {
    this.#collapsed.fire({ element });
  }
}
