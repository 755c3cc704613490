// A list in which the user checks what is to be done, and looks at single rows before.
import * as vscode from 'vscode';
import { drawn, type PickItem, untilAnswered } from './prompts.ts';

export interface CheckRow<T> extends PickItem {
  readonly value: T;
  readonly isChecked: boolean;
  /** Shows more of it; the list stays open. */
  readonly look?: { readonly tooltip: string; readonly run: () => Promise<void> };
}

/** Rows below a heading. */
export interface CheckSection<T> {
  /** Empty: the rows have none. */
  readonly heading: string;
  readonly rows: readonly CheckRow<T>[];
}

interface CheckQuestion {
  readonly title: string;
  readonly placeholder: string;
  /** What fails when a row is looked at goes here. */
  readonly present: (error: unknown) => Promise<void>;
}

interface Item<T> extends vscode.QuickPickItem {
  readonly row?: CheckRow<T>;
}

function itemsOf<T>(sections: readonly CheckSection<T>[]): readonly Item<T>[] {
  return sections
    .filter(({ rows }) => rows.length > 0)
    .flatMap(({ heading, rows }): Item<T>[] => [
      ...(heading === '' ? [] : [{ label: heading, kind: vscode.QuickPickItemKind.Separator }]),
      ...rows.map((row): Item<T> => ({
        ...drawn(row),
        row,
        ...(row.look && {
          buttons: [{ iconPath: new vscode.ThemeIcon('diff'), tooltip: row.look.tooltip }],
        }),
      })),
    ]);
}

/** Resolves with the values of the checked rows, perhaps none. Rejects with Cancelled on Escape. A click elsewhere doesn't close it. */
export async function checkRows<T>(
  { title, placeholder, present }: CheckQuestion,
  sections: readonly CheckSection<T>[],
): Promise<readonly T[]> {
  const pick = vscode.window.createQuickPick<Item<T>>();
  pick.title = title;
  pick.placeholder = placeholder;
  pick.canSelectMany = true;
  pick.ignoreFocusOut = true;
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  const items = itemsOf(sections);
  pick.items = items;
  pick.selectedItems = items.filter(({ row }) => row?.isChecked === true);
  return untilAnswered(pick, (resolve) => {
    pick.onDidTriggerItemButton(({ item }) => void item.row?.look?.run().catch(present));
    pick.onDidAccept(() => resolve(pick.selectedItems.flatMap(({ row }) => (row ? [row.value] : []))));
  });
}
