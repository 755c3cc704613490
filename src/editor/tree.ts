import * as vscode from 'vscode';
import type { Clock } from '../base/time.ts';
import { type Disposable, DisposableStore } from '../base/disposable.ts';
import type { ContextKeyName, ContextKeys } from './contextKeys.ts';
import {
  ElementCache,
  isMore,
  isNote,
  placeholderItem,
  renderMore,
  renderNote,
  type Row,
  type RowElement,
} from './treeElements.ts';

/** What stands around the rows of a view. */
export interface ViewFrame {
  /** The context key that the welcome views are chosen by, and its value. */
  readonly welcome: readonly [ContextKeyName, string];
  /** The other context keys of the view. */
  readonly contexts: readonly (readonly [ContextKeyName, string | boolean | undefined])[];
  /** The line above the rows. The editor shows no welcome view beside one. */
  readonly message: string;
  /** Stands beside the view's title. */
  readonly description: string;
  readonly badge?: vscode.ViewBadge | undefined;
}

/** What a view shows: one for each view. */
export interface TreeSource<T extends RowElement> {
  /** Lists the rows below one, or those at the top. The signal is aborted when the tree is disposed of. */
  children(parent: T | undefined, signal: AbortSignal): readonly Row<T>[] | Promise<readonly Row<T>[]>;
  /** undefined: what the row stands for is gone. now: epoch milliseconds. */
  render(element: T, now: number): vscode.TreeItem | undefined;
  /** Needed for what is revealed. */
  parent?(element: T): T | undefined;
  /** Subscribes to what the rows and the frame depend on. */
  watch(tree: ListTree<T>): Disposable;
  /** now: epoch milliseconds. */
  frame?(now: number): ViewFrame;
  /** Redraws all rows once a minute while the view is looked at. Only where `children` asks nothing of a service. */
  readonly hasGrowingAges?: boolean;
}

/** What of the editor's tree view is used. */
export type ListTreeView = Pick<
  vscode.TreeView<RowElement>,
  | 'visible'
  | 'message'
  | 'description'
  | 'badge'
  | 'onDidChangeVisibility'
  | 'onDidExpandElement'
  | 'onDidCollapseElement'
>;

export interface ListTreeDeps {
  readonly clock: Clock;
  readonly contextKeys: ContextKeys;
}

const agesGrowAfterMs = 60_000;

/** The one tree behind all views. Rows are drawn from their source when the editor asks for them, and again when the source says so. */
export class ListTree<T extends RowElement> implements vscode.TreeDataProvider<Row<T>>, Disposable {
  readonly #view: ListTreeView;
  readonly #source: TreeSource<T>;
  readonly #deps: ListTreeDeps;
  readonly #owned = new DisposableStore();
  readonly #lifetime = new AbortController();
  readonly #elements = new ElementCache<Row<T>>();
  /** The latest listing below each row, by the row's key; '' for the top. */
  readonly #listings = new Map<string, { keys: readonly string[] }>();
  readonly #unfolded = new Set<string>();
  readonly #changes = this.#owned.add(new vscode.EventEmitter<Row<T>[] | undefined>());
  readonly onDidChangeTreeData = this.#changes.event;
  #welcome: string | undefined;

  constructor(view: ListTreeView, source: TreeSource<T>, deps: ListTreeDeps) {
    this.#view = view;
    this.#source = source;
    this.#deps = deps;
    this.#owned.add(view.onDidExpandElement(({ element }) => this.#unfolded.add(element.key)));
    this.#owned.add(view.onDidCollapseElement(({ element }) => this.#unfolded.delete(element.key)));
    if (source.hasGrowingAges === true) this.#owned.add(this.#growAges());
    this.#owned.add(source.watch(this));
    this.#applyFrame();
  }

  /** The rows that are unfolded, of those that the tree still has. */
  get unfolded(): readonly Row<T>[] {
    return [...this.#unfolded].flatMap((key) => this.#elements.find(key) ?? []);
  }

  isUnfolded({ key }: RowElement): boolean {
    return this.#unfolded.has(key);
  }

  /** The element that stands for a row, for revealing it. */
  intern(element: T): Row<T> {
    return this.#elements.intern(element);
  }

  /** Redraws the rows with these keys, and what is below them. */
  redraw(keys: readonly string[]): void {
    const elements = keys.flatMap((key) => this.#elements.find(key) ?? []);
    if (elements.length > 0) this.#changes.fire(elements);
  }

  redrawAll(): void {
    this.#applyFrame();
    this.#changes.fire(undefined);
  }

  /** Shows what stands around the rows. Redraws all of them when the welcome state is another one. */
  showFrame(): void {
    const before = this.#welcome;
    this.#applyFrame();
    if (this.#welcome !== before) this.#changes.fire(undefined);
  }

  getTreeItem(element: Row<T>): vscode.TreeItem {
    const item = this.#render(element);
    item.id = element.key;
    return item;
  }

  getParent(element: Row<T>): Row<T> | undefined {
    if (isMore(element) || isNote(element)) return undefined;
    const parent = this.#source.parent?.(element);
    return parent && this.#elements.intern(parent);
  }

  async getChildren(parent?: Row<T>): Promise<Row<T>[]> {
    if (parent !== undefined && (isMore(parent) || isNote(parent))) return [];
    const owner = parent?.key ?? '';
    const before = this.#listings.get(owner);
    const listing = { keys: before?.keys ?? [] };
    this.#listings.set(owner, listing);
    const rows = await this.#source.children(parent, this.#lifetime.signal);
    if (this.#lifetime.signal.aborted) return [];
    const elements = rows.map((row) => this.#elements.intern(row));
    // A later listing knows better which rows are gone.
    if (this.#listings.get(owner) === listing) this.#forgetOthers(listing, elements);
    return elements;
  }

  dispose(): void {
    this.#lifetime.abort();
    this.#owned.dispose();
  }

  #applyFrame(): void {
    const { contextKeys, clock } = this.#deps;
    const frame = this.#source.frame?.(clock.now());
    if (frame === undefined) return;
    const { welcome, contexts, message, description, badge } = frame;
    for (const [name, value] of [welcome, ...contexts]) contextKeys(name, value);
    this.#welcome = welcome[1];
    this.#view.message = message;
    this.#view.description = description;
    this.#view.badge = badge;
  }

  #render(element: Row<T>): vscode.TreeItem {
    if (isMore(element)) return renderMore(element);
    if (isNote(element)) return renderNote(element);
    return this.#source.render(element, this.#deps.clock.now()) ?? placeholderItem();
  }

  #forgetOthers(listing: { keys: readonly string[] }, elements: readonly RowElement[]): void {
    const kept = new Set(elements.map(({ key }) => key));
    for (const key of listing.keys) if (!kept.has(key)) this.#forget(key);
    listing.keys = [...kept];
  }

  #forget(key: string): void {
    const below = this.#listings.get(key)?.keys ?? [];
    this.#elements.delete(key);
    this.#listings.delete(key);
    for (const each of below) this.#forget(each);
  }

  #growAges(): Disposable {
    let timer: Disposable | undefined;
    const wait = (): void => {
      timer = this.#deps.clock.schedule(() => {
        this.#changes.fire(undefined);
        wait();
      }, agesGrowAfterMs);
    };
    const attention = watchAttention(this.#view, ({ isVisible, isFocused }) => {
      timer?.dispose();
      timer = undefined;
      if (isVisible && isFocused) wait();
    });
    return {
      dispose: () => {
        attention.dispose();
        timer?.dispose();
      },
    };
  }
}

/** Tells whether the view is visible and the window has the focus: now, and whenever one of them changes. */
export function watchAttention(
  view: Pick<vscode.TreeView<unknown>, 'visible' | 'onDidChangeVisibility'>,
  attend: (attention: { readonly isVisible: boolean; readonly isFocused: boolean }) => void,
): Disposable {
  const owned = new DisposableStore();
  const tell = (): void => attend({ isVisible: view.visible, isFocused: vscode.window.state.focused });
  owned.add(view.onDidChangeVisibility(tell));
  owned.add(vscode.window.onDidChangeWindowState(tell));
  tell();
  return owned;
}
