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

function moreRow(description: string): vscode.QuickPickItem {
  const iconPath = new vscode.ThemeIcon('ellipsis');
  return { label: vscode.l10n.t('Load More…'), description, iconPath, alwaysShow: true };
}

/** Keeps the rows true; the one that the person is on stays, unless it only reads on. */
function showRows<T>(pick: vscode.QuickPick<vscode.QuickPickItem>, source: ChoiceSource<T>): () => void {
  let shown: Pick<GrowingChoices<T>, 'choices' | 'more'> | undefined;
  return () => {
    const { choices, more, isBusy } = source.read();
    pick.busy = isBusy;
    if (choices === shown?.choices && more === shown.more) return;
    const active = shown?.choices.find((choice) => choice === pick.activeItems[0]);
    shown = { choices, more };
    pick.items = more === null ? choices : [...choices, moreRow(more)];
    const same = active && choices.find(({ value }) => value === active.value);
    if (same) pick.activeItems = [same];
  };
}

/** Lets a person choose one; rejects with Cancelled on Escape, and with the source's failure. */
export async function chooseGrowing<T>(placeholder: string, source: ChoiceSource<T>): Promise<T> {
  const owned = new DisposableStore();
  const pick = owned.add(vscode.window.createQuickPick());
  pick.placeholder = placeholder;
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  pick.keepScrollPosition = true;
  try {
    return await new Promise<T>((resolve, reject) => {
      const showThem = showRows(pick, source);
      const show = (): void => {
        const { failure } = source.read();
        if (failure === null) showThem();
        else reject(failure);
      };
      owned.add(source.onDidChange(show));
      pick.onDidChangeValue(source.search);
      pick.onDidAccept(() => {
        const [row] = pick.activeItems;
        const chosen = source.read().choices.find((choice) => choice === row);
        if (chosen) resolve(chosen.value);
        else if (row) source.loadMore();
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
