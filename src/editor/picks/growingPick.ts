// A list to choose from that is too long to be there at once: it grows while somebody types, and on demand.
import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import type { Event } from '../../base/event.ts';
import { Cancelled, type Choice } from '../prompts.ts';
import { drawn } from './pickItem.ts';

export interface GrowingChoices<T> {
  /** The same array for as long as nothing changed. */
  readonly choices: readonly Choice<T>[];
  readonly isBusy: boolean;
  /** What stands beside the row that reads on; null where there is nothing more to read. */
  readonly more: string | null;
  /** Why there is nothing to choose from: it ends the question. */
  readonly failure: Error | null;
}

export interface ChoiceSource<T> {
  readonly read: () => GrowingChoices<T>;
  readonly onDidChange: Event<unknown>;
  /** Told whatever is typed. */
  readonly search: (text: string) => void;
  /** A choice that stands for what is typed rather than for something that was read. */
  readonly typed?: (text: string) => Choice<T> | undefined;
  readonly loadMore: () => void;
}

class MoreRow implements vscode.QuickPickItem {
  readonly label = vscode.l10n.t('Load More…');
  readonly iconPath = new vscode.ThemeIcon('ellipsis');
  readonly alwaysShow = true;
  readonly description: string;

  constructor(description: string) {
    this.description = description;
  }
}

type Row<T> = Choice<T> | MoreRow;

/** Where the person is after the rows changed: on the same row; on the first new one where the last read on; else at the top. */
function nextActive<T>(
  pick: vscode.QuickPick<Row<T>>,
  before: readonly Choice<T>[],
  after: readonly Choice<T>[],
): Choice<T> | undefined {
  const [active] = pick.activeItems;
  if (active instanceof MoreRow) return pick.value === '' ? after[before.length] : undefined;
  return after.find(({ value }) => value === active?.value);
}

/** The rows of a pick, kept true without taking the person away from where they are. */
class GrowingRows<T> {
  readonly #pick: vscode.QuickPick<Row<T>>;
  readonly #placeholder: string;
  readonly #source: ChoiceSource<T>;
  readonly #typed = new WeakSet<Row<T>>();
  #shown: Pick<GrowingChoices<T>, 'choices' | 'more'> & { readonly text: string } = {
    choices: [],
    more: null,
    text: '',
  };

  constructor(pick: vscode.QuickPick<Row<T>>, placeholder: string, source: ChoiceSource<T>) {
    this.#pick = pick;
    this.#placeholder = placeholder;
    this.#source = source;
  }

  /** What is typed. */
  get text(): string {
    return this.#pick.value.trim();
  }

  show(): void {
    const { choices, more, isBusy } = this.#source.read();
    const pick = this.#pick;
    pick.busy = isBusy;
    const { text } = this;
    const typed = this.#source.typed?.(text);
    const isSameText = this.#source.typed === undefined || text === this.#shown.text;
    if (choices === this.#shown.choices && more === this.#shown.more && isSameText) return;
    const active = nextActive(pick, this.#shown.choices, choices);
    this.#shown = { choices, more, text };
    if (typed) this.#typed.add(typed);
    // The row that says so is out of sight at first.
    pick.placeholder = more === null ? this.#placeholder : `${this.#placeholder}. ${more}`;
    pick.keepScrollPosition = active !== undefined;
    pick.items = [...choices, ...(typed ? [typed] : []), ...(more === null ? [] : [new MoreRow(more)])];
    if (active) pick.activeItems = [active];
  }

  /** What a row stands for, which may have been replaced meanwhile: still what was chosen, or all that was typed by then. */
  chosen(row: Choice<T>): Choice<T> | undefined {
    return this.#typed.has(row) ? this.#source.typed?.(this.text) : row;
  }
}

/** The same source with its choices as they are drawn: the same array for as long as it is of the same choices. */
function drawnSource<T>(source: ChoiceSource<T>): ChoiceSource<T> {
  const { typed } = source;
  let made: Record<'of' | 'choices', readonly Choice<T>[]> = { of: [], choices: [] };
  return {
    ...source,
    read: () => {
      const state = source.read();
      if (state.choices !== made.of) made = { of: state.choices, choices: state.choices.map(drawn) };
      return { ...state, choices: made.choices };
    },
    ...(typed === undefined
      ? {}
      : {
          typed: (text) => {
            const choice = typed(text);
            return choice && drawn(choice);
          },
        }),
  };
}

/** Lets a person choose one; rejects with Cancelled on Escape, and with the source's failure. */
export async function chooseGrowing<T>(placeholder: string, source: ChoiceSource<T>): Promise<T> {
  const owned = new DisposableStore();
  const pick = owned.add(vscode.window.createQuickPick<Row<T>>());
  pick.placeholder = placeholder;
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  try {
    return await new Promise<T>((resolve, reject) => {
      const rows = new GrowingRows(pick, placeholder, drawnSource(source));
      const show = (): void => {
        const { failure } = source.read();
        if (failure === null) rows.show();
        else reject(failure);
      };
      owned.add(source.onDidChange(show));
      pick.onDidChangeValue(() => {
        source.search(rows.text);
        show();
      });
      pick.onDidAccept(() => {
        const [row] = pick.activeItems;
        if (row === undefined) return;
        if (row instanceof MoreRow) {
          source.loadMore();
          return;
        }
        const choice = rows.chosen(row);
        if (choice) resolve(choice.value);
      });
      pick.onDidHide(() => reject(new Cancelled()));
      show();
      pick.show();
    });
  } finally {
    owned.dispose();
  }
}
