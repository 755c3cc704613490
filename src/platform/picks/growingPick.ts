// Why: a list to choose from that is too long to be there at once: it grows while somebody types, and on demand.
import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import type { Event } from '../../base/event.ts';
import { Cancelled } from '../prompts.ts';
import type { Choice } from '../prompts.ts';

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
  const choice = before.find((each) => each === active);
  if (choice) return after.find(({ value }) => value === choice.value);
  return active !== undefined && pick.value === '' ? after[before.length] : undefined;
}

/** Keeps the rows true without taking the person away from where they are. */
function showRows<T>(
  pick: vscode.QuickPick<Row<T>>,
  placeholder: string,
  source: ChoiceSource<T>,
): () => void {
  let shown: Pick<GrowingChoices<T>, 'choices' | 'more'> = { choices: [], more: null };
  return () => {
    const { choices, more, isBusy } = source.read();
    pick.busy = isBusy;
    if (choices === shown.choices && more === shown.more) return;
    const active = nextActive(pick, shown.choices, choices);
    shown = { choices, more };
    // The row that says so is out of sight at first.
    pick.placeholder = more === null ? placeholder : `${placeholder}. ${more}`;
    pick.keepScrollPosition = active !== undefined;
    pick.items = more === null ? choices : [...choices, new MoreRow(more)];
    if (active) pick.activeItems = [active];
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
      const showThem = showRows(pick, placeholder, source);
      const show = (): void => {
        const { failure } = source.read();
        if (failure === null) showThem();
        else reject(failure);
      };
      owned.add(source.onDidChange(show));
      pick.onDidChangeValue(source.search);
      pick.onDidAccept(() => {
        // May be of rows that were replaced meanwhile: what it stands for is still what was chosen.
        const [row] = pick.activeItems;
        if (row instanceof MoreRow) source.loadMore();
        else if (row) resolve(row.value);
      });
      pick.onDidHide(() => {
        reject(new Cancelled());
      });
      show();
      pick.show();
    });
  } finally {
    owned.dispose();
  }
}
