// Rows of a Quick Pick: what stands in them may come from outside, so their texts never draw icons.
import type * as vscode from 'vscode';
import { withoutIcons } from '../format.ts';

export interface PickItem extends vscode.QuickPickItem {
  /** A codicon's name, drawn before the label. */
  readonly icon?: string;
}

/** What the editor draws of an item: its icon, and its texts as they are. */
export function drawn<T extends PickItem>(item: T): T {
  const { icon, label, description, detail } = item;
  return {
    ...item,
    label: `${icon === undefined ? '' : `$(${icon}) `}${withoutIcons(label)}`,
    ...(description === undefined ? {} : { description: withoutIcons(description) }),
    ...(detail === undefined ? {} : { detail: withoutIcons(detail) }),
  };
}
