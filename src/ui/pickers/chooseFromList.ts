import * as vscode from 'vscode';
import type { Clock } from '../../base/time.ts';
import { DisposableStore } from '../../base/disposable.ts';
import type { Event } from '../../base/event.ts';
import type { PlainError } from '../../editor/plainError.ts';
import { Cancelled, type Choice, drawn } from '../../editor/prompts/prompts.ts';
import type { SearchableList, SearchableListState } from '../../model/list/searchableList.ts';
import { describeError } from '../words/describeError.ts';

/** The part of a SearchableList that the picker needs. */
export type ChoiceList<T extends { readonly id: string }> = Pick<
  SearchableList<T>,
  'state' | 'search' | 'loadMore' | 'dispose'
>;

export interface ListLook<T, V> {
  readonly clock: Clock;
  readonly placeholder: string;
  readonly toChoice: (item: T) => Choice<V>;
  /** Returns the heading that the item is listed below. Items below the same heading are listed together. Default: no headings. */
  readonly groupOf?: (item: T) => string;
  /** Returns a choice for the typed text itself rather than for an item. */
  readonly typed?: (text: string) => Choice<V> | undefined;
  /** The description beside "Load More…". */
  readonly describeMore: (state: SearchableListState<T>) => string;
  /** The error if there is nothing to choose from. */
  readonly nothing: PlainError;
  /** Fires when other data that the choices are made from has changed. */
  readonly onDidChangeLook?: Event<unknown>;
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

class Heading implements vscode.QuickPickItem {
  readonly kind = vscode.QuickPickItemKind.Separator;
  readonly label: string;

  constructor(label: string) {
    this.label = label;
  }
}

type Row<V> = Choice<V> | Heading | MoreRow;

/** The rows of a pick. Changes keep the active row active. */
class ListRows<T extends { readonly id: string }, V> {
  readonly #pick: vscode.QuickPick<Row<V>>;
  readonly #list: ChoiceList<T>;
  readonly #look: ListLook<T, V>;
  /** The rows for the typed text. */
  readonly #typed = new WeakSet<Row<V>>();
  #items: readonly T[] | undefined;
  #choices: readonly Choice<V>[] = [];
  #rows: readonly (Choice<V> | Heading)[] = [];
  #more: string | null = null;
  #text = '';

  constructor(pick: vscode.QuickPick<Row<V>>, list: ChoiceList<T>, look: ListLook<T, V>) {
    this.#pick = pick;
    this.#list = list;
    this.#look = look;
  }

  /** Makes the next `show` create the choices again. */
  invalidate(): void {
    this.#items = undefined;
  }

  show(): void {
    const { items, isBusy } = this.#list.state.current;
    this.#pick.busy = isBusy;
    const text = this.#pick.value.trim();
    const more = this.#describeMore();
    const isSameText = this.#look.typed === undefined || text === this.#text;
    if (items === this.#items && more === this.#more && isSameText) return;
    const before = this.#choices;
    if (items !== this.#items) this.#setItems(items);
    this.#items = items;
    this.#more = more;
    this.#text = text;
    this.#draw(this.#nextActive(before));
  }

  /** Returns the choice of an accepted row. A row for the typed text uses the current text, because the row may be outdated. */
  chosen(row: Choice<V>): Choice<V> | undefined {
    return this.#typed.has(row) ? this.#look.typed?.(this.#pick.value.trim()) : row;
  }

  #setItems(items: readonly T[]): void {
    const { groupOf = () => '', toChoice } = this.#look;
    const groups = Map.groupBy(items, groupOf);
    const choices = [...groups].map(
      ([heading, members]) => [heading, members.map((item) => drawn(toChoice(item)))] as const,
    );
    this.#choices = choices.flatMap(([, members]) => members);
    this.#rows = choices.flatMap(([heading, members]) => [
      ...(heading === '' ? [] : [new Heading(heading)]),
      ...members,
    ]);
  }

  #draw(active: Choice<V> | undefined): void {
    const typed = this.#look.typed?.(this.#text);
    const typedRow = typed && drawn(typed);
    if (typedRow) this.#typed.add(typedRow);
    const { placeholder } = this.#look;
    const more = this.#more;
    const pick = this.#pick;
    // The row that says how many items were read is out of sight at first.
    pick.placeholder = more === null ? placeholder : `${placeholder}. ${more}`;
    pick.keepScrollPosition = active !== undefined;
    pick.items = [
      ...this.#rows,
      ...(typedRow ? [typedRow] : []),
      ...(more === null ? [] : [new MoreRow(more)]),
    ];
    if (active) pick.activeItems = [active];
  }

  /** The row with the same value as the active one; the first new row if "Load More…" was active; else none. */
  #nextActive(before: readonly Choice<V>[]): Choice<V> | undefined {
    const [active] = this.#pick.activeItems;
    if (active instanceof Heading) return undefined;
    if (active instanceof MoreRow) return this.#pick.value === '' ? this.#choices[before.length] : undefined;
    return this.#choices.find(({ value }) => value === active?.value);
  }

  #describeMore(): string | null {
    const state = this.#list.state.current;
    const { hasData, hasMore, error } = state;
    if (!hasData || (!hasMore && error === null)) return null;
    if (error === null) return this.#look.describeMore(state);
    return describeError(error, this.#look.clock.now()).message;
  }
}

/** Returns why there is nothing to choose from; null while there may be something. */
function failureOf<T>(
  { hasData, items, hasMore, error }: SearchableListState<T>,
  nothing: PlainError,
): Error | null {
  if (!hasData) return error;
  return items.length === 0 && !hasMore ? nothing : null;
}

/**
 * Lets the user choose from a list, and then disposes of the list. Rejects with Cancelled on Escape, and with the reason if there
 * is nothing to choose from.
 */
export async function chooseFromList<T extends { readonly id: string }, V>(
  list: ChoiceList<T>,
  look: ListLook<T, V>,
): Promise<V> {
  const owned = new DisposableStore();
  owned.add(list);
  const pick = owned.add(vscode.window.createQuickPick<Row<V>>());
  pick.placeholder = look.placeholder;
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  const rows = new ListRows(pick, list, look);
  try {
    return await new Promise<V>((resolve, reject) => {
      const show = (): void => {
        const failure = failureOf(list.state.current, look.nothing);
        if (failure === null) rows.show();
        else reject(failure);
      };
      owned.add(list.state.onDidChange(show));
      const redraw = look.onDidChangeLook?.(() => {
        rows.invalidate();
        show();
      });
      if (redraw) owned.add(redraw);
      pick.onDidChangeValue((value) => {
        list.search(value.trim());
        show();
      });
      pick.onDidAccept(() => {
        const [row] = pick.activeItems;
        if (row === undefined || row instanceof Heading) return;
        const choice = row instanceof MoreRow ? undefined : rows.chosen(row);
        if (row instanceof MoreRow) list.loadMore();
        else if (choice) resolve(choice.value);
      });
      pick.onDidHide(() => reject(new Cancelled()));
      show();
      pick.show();
    });
  } finally {
    owned.dispose();
  }
}
