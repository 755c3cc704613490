// A whole view as text: what stands around the rows, then each row with what it shows, what it is to menus and what a screen reader says.
import * as vscode from 'vscode';
import type { ListTree } from '../../src/editor/tree/tree.ts';
import type { RowElement } from '../../src/editor/tree/treeElements.ts';
import type { MemoryTreeView } from './memory/treeView.ts';

function iconOf({ iconPath }: vscode.TreeItem): string {
  if (!(iconPath instanceof vscode.ThemeIcon)) return '';
  return iconPath.color === undefined ? iconPath.id : `${iconPath.id} (${iconPath.color.id})`;
}

function renderRow(item: vscode.TreeItem, indent: string): string {
  const label = typeof item.label === 'string' ? item.label : (item.label?.label ?? '');
  const description = typeof item.description === 'string' ? item.description : '';
  const facts = [
    ['icon', iconOf(item)],
    ['menus', item.contextValue ?? ''],
    ['spoken', item.accessibilityInformation?.label ?? ''],
    ['click', item.command?.command ?? ''],
  ];
  const lines = facts.filter(([, value]) => value !== '').map(([name, value]) => `    ${name}: ${value}`);
  return [`${label}${description === '' ? '' : `  |  ${description}`}`.trim(), ...lines]
    .map((line) => `${indent}${line}\n`)
    .join('');
}

/** Unfolds every row. Context keys are those that the tree was built with. */
export async function renderTree<T extends RowElement>(
  tree: ListTree<T>,
  view: MemoryTreeView,
  contextKeys: ReadonlyMap<string, unknown>,
): Promise<string> {
  const rowsBelow = async (parent: Parameters<typeof tree.getTreeItem>[0] | undefined, indent: string) => {
    let text = '';
    for (const element of await tree.getChildren(parent)) {
      const item = tree.getTreeItem(element);
      text += renderRow(item, indent);
      const { None } = vscode.TreeItemCollapsibleState;
      if ((item.collapsibleState ?? None) !== None) text += await rowsBelow(element, `${indent}  `);
    }
    return text;
  };
  const rows = await rowsBelow(undefined, '');
  const badge = view.badge === undefined ? '' : `${view.badge.value}, ${view.badge.tooltip}`;
  const around = [
    ['message', view.message],
    ['description', view.description],
    ['badge', badge],
  ].filter(([, value]) => value !== '');
  const frame = [...contextKeys, ...around].map(([name, value]) => `${name}: ${String(value)}`);
  return [frame.map((line) => `${line}\n`).join(''), rows].filter((text) => text !== '').join('\n');
}
