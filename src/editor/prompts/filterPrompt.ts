// One question for a whole filter: sections of checkboxes, those of the current filter checked.
import * as vscode from 'vscode';
import { drawn, type PickItem, untilAnswered } from './prompts.ts';

export interface FilterChoice<F> extends PickItem {
  readonly isChecked: boolean;
  /** Adds the choice to a filter; may ask for more. */
  readonly add: (filter: F) => F | Promise<F>;
}

export interface FilterSection<F> {
  readonly name: string;
  /** True when at most one choice can be checked. */
  readonly isSingle: boolean;
  readonly choices: readonly FilterChoice<F>[];
}

interface CheckRow<F> extends vscode.QuickPickItem {
  readonly section?: FilterSection<F>;
  readonly choice?: FilterChoice<F>;
}

/** Keeps of each section with a single choice the one that was checked last, and the former one if all were checked together. */
function withoutRivals<F>(
  checked: readonly CheckRow<F>[],
  before: readonly CheckRow<F>[],
): readonly CheckRow<F>[] {
  return checked.filter((row) => {
    if (row.section?.isSingle !== true) return true;
    const added = checked.filter((other) => other.section === row.section && !before.includes(other));
    return added.length === 1 ? added[0] === row : before.includes(row);
  });
}

function rowsOf<F>(sections: readonly FilterSection<F>[]): readonly CheckRow<F>[] {
  return sections
    .filter(({ choices }) => choices.length > 0)
    .flatMap((section) => [
      { label: section.name, kind: vscode.QuickPickItemKind.Separator },
      ...section.choices.map((choice) => ({ ...drawn(choice), section, choice })),
    ]);
}

/** Lets the user check what to filter by. Resolves with the choices that were checked, none to clear the filter; rejects with Cancelled on Escape. */
async function chooseChecked<F>(
  title: string,
  sections: readonly FilterSection<F>[],
): Promise<readonly FilterChoice<F>[]> {
  const pick = vscode.window.createQuickPick<CheckRow<F>>();
  const clear: vscode.QuickInputButton = {
    iconPath: new vscode.ThemeIcon('clear-all'),
    tooltip: vscode.l10n.t('Clear All'),
  };
  const rows = rowsOf(sections);
  pick.title = title;
  pick.placeholder = vscode.l10n.t('Select what to show');
  pick.canSelectMany = true;
  pick.matchOnDescription = true;
  pick.items = rows;
  pick.selectedItems = rows.filter(({ choice }) => choice?.isChecked === true);
  if (pick.selectedItems.length > 0) pick.buttons = [clear];
  let before = pick.selectedItems;
  return untilAnswered(pick, (resolve) => {
    pick.onDidChangeSelection((checked) => {
      const kept = withoutRivals(checked, before);
      before = kept;
      if (kept.length < checked.length) pick.selectedItems = kept;
    });
    pick.onDidAccept(() => resolve(pick.selectedItems.flatMap(({ choice }) => choice ?? [])));
    pick.onDidTriggerButton(() => resolve([]));
  });
}

/** Asks for a filter, starting from the empty one. Rejects with Cancelled on Escape. */
export async function askForFilter<F>(
  title: string,
  sections: readonly FilterSection<F>[],
  empty: F,
): Promise<F> {
  let filter = empty;
  for (const choice of await chooseChecked(title, sections)) filter = await choice.add(filter);
  return filter;
}
