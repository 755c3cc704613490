// A list to choose from whose rows have buttons of their own, which the plain Quick Pick call cannot show.
import * as vscode from 'vscode';
import { Cancelled } from '../prompts.ts';
import { drawn, type PickItem } from './pickItem.ts';

interface RowAction<A extends string> {
  readonly name: A;
  /** A codicon's name. */
  readonly icon: string;
  readonly tooltip: string;
}

export interface RowChoice<T, A extends string> extends PickItem {
  readonly value: T;
  readonly actions?: readonly RowAction<A>[];
}

/** What was chosen, and the row's button if one was pressed. */
export interface RowPicked<T, A extends string> {
  readonly value: T;
  readonly action: A | undefined;
}

interface Row<T, A extends string> extends vscode.QuickPickItem {
  readonly choice: RowChoice<T, A>;
}

class RowButton<A extends string> implements vscode.QuickInputButton {
  readonly iconPath: vscode.ThemeIcon;
  readonly tooltip: string;
  readonly name: A;

  constructor({ name, icon, tooltip }: RowAction<A>) {
    this.name = name;
    this.iconPath = new vscode.ThemeIcon(icon);
    this.tooltip = tooltip;
  }
}

/** Lets a person choose a row or one of its buttons; rejects with Cancelled on Escape. */
export async function chooseRow<T, A extends string>(
  placeholder: string,
  choices: readonly RowChoice<T, A>[],
): Promise<RowPicked<T, A>> {
  const pick = vscode.window.createQuickPick<Row<T, A>>();
  try {
    pick.placeholder = placeholder;
    pick.matchOnDescription = true;
    pick.matchOnDetail = true;
    pick.items = choices.map((choice) => {
      const { label, description, detail, iconPath, kind, actions = [] } = drawn(choice);
      return {
        label,
        choice,
        buttons: actions.map((action) => new RowButton(action)),
        ...(description === undefined ? {} : { description }),
        ...(detail === undefined ? {} : { detail }),
        ...(iconPath === undefined ? {} : { iconPath }),
        ...(kind === undefined ? {} : { kind }),
      };
    });
    return await new Promise<RowPicked<T, A>>((resolve, reject) => {
      pick.onDidAccept(() => {
        const [row] = pick.activeItems;
        if (row) resolve({ value: row.choice.value, action: undefined });
      });
      pick.onDidTriggerItemButton(({ item, button }) => {
        const action = item.choice.actions?.find(
          ({ name }) => button instanceof RowButton && button.name === name,
        );
        resolve({ value: item.choice.value, action: action?.name });
      });
      pick.onDidHide(() => reject(new Cancelled()));
      pick.show();
    });
  } finally {
    pick.dispose();
  }
}
