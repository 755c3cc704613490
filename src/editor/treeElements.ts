import * as vscode from 'vscode';
import { offerCommand, type PersonsArgument } from './commands.ts';

/** What a row of a view stands for: plain data, which commands take as their argument. */
export interface RowElement extends PersonsArgument {
  readonly kind: string;
  /** Unique in the view and stable from one refresh to the next. */
  readonly key: string;
}

/** The commands that read the next page of a view. */
type LoadMoreCommand = 'workflows.loadMore' | 'executions.loadMore' | 'portalEvents.loadMore';

/** "Load More…" below a list. */
export interface MoreElement extends RowElement {
  readonly kind: 'more';
  /** Reads the next page. */
  readonly loadMore: LoadMoreCommand;
  readonly connectionId: string;
  /** Whose executions the list holds; null where it is of no workflow. */
  readonly workflowId: string | null;
}

/** A row that says something: nothing there yet, or why it could not be read. */
export interface NoteElement extends RowElement {
  readonly kind: 'note';
  readonly text: string;
  readonly isProblem: boolean;
}

/** A row of a view's own, or one that every view may have. */
export type Row<T extends RowElement> = T | MoreElement | NoteElement;

export function moreElement(
  loadMore: LoadMoreCommand,
  connectionId: string,
  workflowId: string | null = null,
): MoreElement {
  const key = `${connectionId}/more/${workflowId ?? ''}`;
  return { invokedBy: 'person', kind: 'more', key, loadMore, connectionId, workflowId };
}

/** owner: the key of the row that it stands below. */
export function noteElement(owner: string, text: string): NoteElement {
  return { invokedBy: 'person', kind: 'note', key: `${owner}/note`, text, isProblem: false };
}

/** Says why something could not be read; owner as for a note. */
export function problemElement(owner: string, text: string): NoteElement {
  return { invokedBy: 'person', kind: 'note', key: `${owner}/problem`, text, isProblem: true };
}

export function isMore(element: RowElement): element is MoreElement {
  return element.kind === 'more';
}

export function isNote(element: RowElement): element is NoteElement {
  return element.kind === 'note';
}

/** True when both rows look the same as long as what they stand for does. */
function isSame(one: RowElement, other: RowElement): boolean {
  const members = new Map<string, unknown>(Object.entries(other));
  const entries: (readonly [string, unknown])[] = Object.entries(one);
  return entries.length === members.size && entries.every(([name, value]) => members.get(name) === value);
}

export function areSameRows(some: readonly RowElement[], others: readonly RowElement[]): boolean {
  return (
    some.length === others.length &&
    some.every((one, at) => {
      const other = others[at];
      return other !== undefined && isSame(one, other);
    })
  );
}

/** Gives the same object for the same row, since the editor finds rows by identity. */
export class ElementCache<T extends RowElement> {
  readonly #elements = new Map<string, T>();

  find(key: string): T | undefined {
    return this.#elements.get(key);
  }

  /** Returns the element that stands for the row already while it says the same; else this one from now on. */
  intern(element: T): T {
    const known = this.#elements.get(element.key);
    if (known !== undefined && isSame(known, element)) return known;
    this.#elements.set(element.key, element);
    return element;
  }

  delete(key: string): void {
    this.#elements.delete(key);
  }
}

export function renderMore(element: MoreElement): vscode.TreeItem {
  const item = new vscode.TreeItem(vscode.l10n.t('Load More…'));
  item.iconPath = new vscode.ThemeIcon('ellipsis');
  item.command = offerCommand(element.loadMore, element, { title: vscode.l10n.t('Load More…') });
  return item;
}

export function renderNote({ text, isProblem }: NoteElement): vscode.TreeItem {
  const item = new vscode.TreeItem('');
  item.description = text;
  item.tooltip = text;
  if (isProblem)
    item.iconPath = new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'));
  item.accessibilityInformation = { label: text };
  return item;
}

/** A row whose subject went while it was being drawn; the next redraw of its parent takes it away. */
export function placeholderItem(): vscode.TreeItem {
  return new vscode.TreeItem('');
}
