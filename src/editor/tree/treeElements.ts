import * as vscode from 'vscode';
import { offerCommand, type PersonsArgument } from '../commands.ts';
import { commandId } from '../commands/names.ts';

/** The subject of a view's row, as plain data. Commands take it as their argument. */
export interface RowElement extends PersonsArgument {
  readonly kind: string;
  /** Unique in the view and stable across refreshes. */
  readonly key: string;
  /** What Enter runs with the row, if it isn't what rows of its kind have. */
  readonly opens?: 'execution.openFound';
}

/** The commands that read the next page of a view. */
type LoadMoreCommand =
  'workflows.loadMore' | 'executions.loadMore' | 'executions.loadMoreFound' | 'portalEvents.loadMore';

/** The row "Load More…" below a list. */
export interface MoreElement extends RowElement {
  readonly kind: 'more';
  /** Reads the next page. */
  readonly loadMore: LoadMoreCommand;
  readonly connectionId: string;
  /** The workflow whose executions the list contains; null for a list that isn't a workflow's. */
  readonly workflowId: string | null;
}

/** The commands on what a view shows. */
type ViewCommand =
  | 'workflows.clearFilter'
  | 'executions.clearFilter'
  | 'executions.clearSearch'
  | 'executions.pauseSearch'
  | 'executions.resumeSearch'
  | 'portalEvents.clearFilter';

/** A row such as "Clear Filter" above a filtered list: the buttons of a title are only drawn while the pointer is there. */
export interface ActionElement extends RowElement {
  readonly kind: 'action';
  readonly command: ViewCommand;
}

/** A row with a message: the list is empty, or couldn't be read. */
export interface NoteElement extends RowElement {
  readonly kind: 'note';
  readonly text: string;
  readonly isProblem: boolean;
}

/** A row that every view can have. It has none below it. */
type CommonElement = MoreElement | ActionElement | NoteElement;

/** A row of a specific view, or a common one. */
export type TreeRow<T extends RowElement> = T | CommonElement;

export function moreElement(
  loadMore: LoadMoreCommand,
  connectionId: string,
  workflowId: string | null = null,
): MoreElement {
  const key = `${connectionId}/more/${workflowId ?? ''}`;
  return { invokedBy: 'person', kind: 'more', key, loadMore, connectionId, workflowId };
}

export function actionElement(command: ViewCommand): ActionElement {
  return { invokedBy: 'person', kind: 'action', key: command, command };
}

/** `owner`: the key of the row above the note. */
export function noteElement(owner: string, text: string): NoteElement {
  return { invokedBy: 'person', kind: 'note', key: `${owner}/note`, text, isProblem: false };
}

/** Shows why a list couldn't be read. `owner`: the key of the row above. */
export function problemElement(owner: string, text: string): NoteElement {
  return { invokedBy: 'person', kind: 'note', key: `${owner}/problem`, text, isProblem: true };
}

export function isCommon(element: RowElement): element is CommonElement {
  return element.kind === 'more' || element.kind === 'action' || element.kind === 'note';
}

/** True when both elements have the same members, so that their rows look the same while their subjects don't change. */
function isSame(one: RowElement, other: RowElement): boolean {
  const members = new Map<string, unknown>(Object.entries(other));
  const entries: (readonly [string, unknown])[] = Object.entries(one);
  return (
    entries.length === members.size &&
    entries.every(([name, value]) => {
      const other = members.get(name);
      // A row above may be another object with the same key.
      return value === other || (name === 'parent' && keyOf(value) === keyOf(other));
    })
  );
}

function keyOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'key' in value ? value.key : value;
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

/** Returns the same object for the same row, since the editor finds rows by identity. */
export class ElementCache<T extends RowElement> {
  readonly #elements = new Map<string, T>();

  find(key: string): T | undefined {
    return this.#elements.get(key);
  }

  /** Returns the row's existing element if it has the same members; otherwise replaces it with this one. */
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

export function renderCommon(element: CommonElement): vscode.TreeItem {
  switch (element.kind) {
    case 'more':
      return renderMore(element);
    case 'action':
      return renderAction(element);
    case 'note':
      return renderNote(element);
  }
}

function renderMore(element: MoreElement): vscode.TreeItem {
  const item = new vscode.TreeItem(vscode.l10n.t('Load More…'));
  item.iconPath = new vscode.ThemeIcon('ellipsis');
  item.command = offerCommand(element.loadMore, element, { title: vscode.l10n.t('Load More…') });
  return item;
}

function describeAction(command: ViewCommand): { readonly title: string; readonly icon: string } {
  switch (command) {
    case 'workflows.clearFilter':
    case 'executions.clearFilter':
    case 'portalEvents.clearFilter':
      return { title: vscode.l10n.t('Clear Filter'), icon: 'clear-all' };
    case 'executions.clearSearch':
      return { title: vscode.l10n.t('Clear Search'), icon: 'clear-all' };
    case 'executions.pauseSearch':
      return { title: vscode.l10n.t('Pause Search'), icon: 'debug-pause' };
    case 'executions.resumeSearch':
      return { title: vscode.l10n.t('Resume Search'), icon: 'debug-continue' };
  }
}

function renderAction({ command }: ActionElement): vscode.TreeItem {
  const { title, icon } = describeAction(command);
  const item = new vscode.TreeItem(title);
  item.iconPath = new vscode.ThemeIcon(icon);
  item.command = { command: commandId(command), title };
  return item;
}

function renderNote({ text, isProblem }: NoteElement): vscode.TreeItem {
  const item = new vscode.TreeItem('');
  item.description = text;
  item.tooltip = text;
  if (isProblem)
    item.iconPath = new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'));
  item.accessibilityInformation = { label: text };
  return item;
}

/** For a row whose subject disappeared during rendering. The next redraw of its parent removes the row. */
export function placeholderItem(): vscode.TreeItem {
  return new vscode.TreeItem('');
}
