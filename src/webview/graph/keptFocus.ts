/** Keeps the focus on an option of a list whose elements are drawn anew. */
export class KeptFocus {
  readonly #list: HTMLElement;
  readonly #find: (id: string) => HTMLElement | undefined;
  #id: string | undefined;

  /** `find`: returns the option with an id, which is its `data-id`. */
  constructor(list: HTMLElement, find: (id: string) => HTMLElement | undefined) {
    this.#list = list;
    this.#find = find;
  }

  /** Call before options are removed or moved. */
  note(): void {
    const { activeElement } = document;
    if (activeElement instanceof HTMLElement && this.#list.contains(activeElement))
      this.#id = activeElement.dataset['id'];
  }

  /** Call when the options are in sight again. Gives the focus to the one with the same id, if nothing else has it by then. */
  giveBack(): void {
    const id = this.#id;
    this.#id = undefined;
    // While another part of the window has the focus, taking it would interrupt the user there.
    if (id !== undefined && document.activeElement === document.body && document.hasFocus())
      this.#find(id)?.focus({ preventScroll: true });
  }
}
