import * as vscode from 'vscode';
import { stringifyJson } from '../../base/json.ts';
import { combine, type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Clock } from '../../base/time.ts';
import type { AgedView, Ages } from './ages.ts';
import { contextKeys } from '../ids.ts';
import { RowChanges } from './rowChanges.ts';
import {
  ElementCache,
  isCommon,
  placeholderItem,
  renderCommon,
  type TreeRow,
  type RowElement,
} from './treeElements.ts';
import { UnfoldedRows } from './unfoldedRows.ts';

type ContextValue = string | boolean | readonly string[] | undefined;
type ContextKeyName = keyof typeof contextKeys;
export type ContextKeys = (name: ContextKeyName, value: ContextValue) => void;

/** Sends a value only when it has changed. */
export function createContextKeys(): ContextKeys {
  const sent = new Map<ContextKeyName, ContextValue>();
  return (name, value) => {
    if (sent.has(name) && sent.get(name) === value) return;
    sent.set(name, value);
    void vscode.commands.executeCommand('setContext', contextKeys[name], value);
  };
}

/** The parts of a view around its rows. */
export interface ViewFrame {
  /** The context key that selects the welcome view, and its value. */
  readonly welcome: readonly [ContextKeyName, string];
  /** The other context keys of the view. */
  readonly contexts: readonly (readonly [ContextKeyName, string | boolean | undefined])[];
  /** The line above the rows. The editor shows no welcome view together with a message. */
  readonly message: string;
  /** The text next to the view's title. */
  readonly description: string;
  readonly badge?: vscode.ViewBadge | undefined;
}

/** Provides the rows of one view. */
export interface TreeSource<T extends RowElement> {
  /** Lists the rows below a row, or the top rows. The signal is aborted when the tree is disposed of. */
  children(
    parent: T | undefined,
    signal: AbortSignal,
  ): readonly TreeRow<T>[] | Promise<readonly TreeRow<T>[]>;
  /**
   * Returns undefined when the row's subject is gone. `now`: epoch milliseconds, the same for all rows that show an age. Rows are
   * rendered often, to see whether they've changed.
   */
  render(element: T, now: number): vscode.TreeItem | undefined;
  /** True while the row counts up seconds. Default: none does. */
  isCounting?(element: T): boolean;
  /** Needed for rows that are revealed. */
  parent?(element: T): T | undefined;
  /** Subscribes to the data behind the rows and the frame. */
  watch(tree: ListTree<T>): Disposable;
  /** `now`: epoch milliseconds. */
  frame?(now: number): ViewFrame;
}

/** The members of the editor's tree view that are used here. */
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
  readonly ages: Ages;
}

/** The tree behind every view. Renders the source's rows when the editor requests them, and again when the source changes. */
export class ListTree<T extends RowElement> implements vscode.TreeDataProvider<TreeRow<T>>, Disposable {
  readonly #view: ListTreeView;
  readonly #source: TreeSource<T>;
  readonly #deps: ListTreeDeps;
  readonly #owned = new DisposableStore();
  readonly #lifetime = new AbortController();
  readonly #elements = new ElementCache<TreeRow<T>>();
  /** The latest listing below each row, by the row's key; '' for the top. */
  readonly #listings = new Map<string, { keys: readonly string[] }>();
  readonly #unfolded: UnfoldedRows;
  /** What each row last showed, by its key. */
  readonly #looks = new Map<string, string>();
  /** How often a row was folded by `fold`. */
  readonly #timesFolded = new Map<string, number>();
  /** The rows to fold with the next announcement. */
  readonly #folding = new Set<string>();
  readonly #changes = this.#owned.add(new vscode.EventEmitter<TreeRow<T>[] | undefined>());
  readonly onDidChangeTreeData = this.#changes.event;
  readonly #rowChanges: RowChanges;
  #welcome: string | undefined;

  constructor(view: ListTreeView, source: TreeSource<T>, deps: ListTreeDeps) {
    this.#view = view;
    this.#source = source;
    this.#deps = deps;
    this.#unfolded = new UnfoldedRows(deps.clock);
    this.#rowChanges = this.#owned.add(new RowChanges(deps.clock, (keys) => this.#announce(keys)));
    this.#owned.add(view.onDidExpandElement(({ element }) => this.#unfolded.add(element.key)));
    this.#owned.add(view.onDidCollapseElement(({ element }) => this.#unfolded.delete(element.key)));
    this.#owned.add(source.watch(this));
    this.#owned.add(this.#showAges());
    this.#apply(this.#frame());
  }

  /** The rows that aren't folded away, top to bottom. */
  get inSight(): readonly TreeRow<T>[] {
    return this.#inSightBelow('');
  }

  /** The unfolded rows, top to bottom, without those below a folded row. */
  get unfolded(): readonly TreeRow<T>[] {
    return this.inSight.filter((element) => this.isUnfolded(element));
  }

  isUnfolded({ key }: RowElement): boolean {
    return this.#unfolded.has(key);
  }

  /** Call when the editor was asked to unfold a row that it has drawn, but doesn't say that it did. It may not have asked for the rows below it. */
  trustUnfolded({ key }: RowElement): void {
    this.#unfolded.add(key);
    this.#rowChanges.add([key]);
  }

  /** Redraws nothing until it's disposed of: when rows are redrawn while the editor unfolds one, it can leave it without the rows below. */
  hold(): Disposable {
    return this.#rowChanges.hold();
  }

  /** True if the editor has asked for the row. */
  isDrawn({ key }: RowElement): boolean {
    return this.#looks.has(key);
  }

  /**
   * Folds a row, also one that the editor is still unfolding. The editor has no call for it, but draws a row with a new id folded: it gets
   * that id once nothing is held, so that the editor doesn't unfold what it has just drawn.
   */
  fold(row: TreeRow<T>): void {
    const { key } = row;
    this.#folding.add(key);
    this.#forgetOthers(this.#listings.get(key) ?? { keys: [] }, []);
    this.#unfolded.delete(key);
    const parent = this.getParent(row);
    this.#rowChanges.add(parent && [parent.key]);
  }

  /** Returns the element of a row, for revealing it. */
  intern(element: T): TreeRow<T> {
    return this.#elements.intern(element);
  }

  /** Redraws the rows with these keys and the rows below them. */
  redraw(keys: readonly string[]): void {
    this.#deps.ages.catchUp();
    this.#rowChanges.add(keys.filter((key) => this.#elements.find(key) !== undefined));
  }

  /** Redraws the rows in sight that would show something else now: those with these keys, or any. */
  redrawChanged(keys?: ReadonlySet<string>): void {
    this.#deps.ages.catchUp();
    const isAsked = ({ key }: RowElement): boolean => keys?.has(key) !== false;
    this.#fireChanged(this.inSight.filter(isAsked));
  }

  redrawAll(): void {
    this.#deps.ages.catchUp();
    this.#rowChanges.add();
    this.#apply(this.#frame());
  }

  /** Updates the parts around the rows. Redraws all rows when the welcome state has changed. */
  showFrame(): void {
    const frame = this.#frame();
    if (frame !== undefined && frame.welcome[1] !== this.#welcome) this.#rowChanges.add();
    this.#apply(frame);
  }

  getTreeItem(element: TreeRow<T>): vscode.TreeItem {
    const item = this.#render(element);
    const timesFolded = this.#timesFolded.get(element.key);
    item.id = timesFolded === undefined ? element.key : `${element.key}#${timesFolded}`;
    this.#looks.set(element.key, lookOf(item));
    if (this.#isCounting(element)) this.#deps.ages.countSeconds();
    return item;
  }

  getParent(element: TreeRow<T>): TreeRow<T> | undefined {
    if (isCommon(element)) return undefined;
    const parent = this.#source.parent?.(element);
    return parent && this.#elements.intern(parent);
  }

  async getChildren(parent?: TreeRow<T>): Promise<TreeRow<T>[]> {
    if (parent !== undefined && isCommon(parent)) return [];
    this.#unfolded.noteAsked(parent?.key);
    const owner = parent?.key ?? '';
    const before = this.#listings.get(owner);
    const listing = { keys: before?.keys ?? [] };
    this.#listings.set(owner, listing);
    const rows = await this.#source.children(parent, this.#lifetime.signal);
    if (this.#lifetime.signal.aborted) return [];
    const elements = rows.map((row) => this.#elements.intern(row));
    // A newer listing has the newer rows, so only the latest one removes elements.
    if (this.#listings.get(owner) === listing) this.#forgetOthers(listing, elements);
    this.#rowChanges.deliver();
    return elements;
  }

  dispose(): void {
    this.#lifetime.abort();
    this.#owned.dispose();
  }

  #frame(): ViewFrame | undefined {
    return this.#source.frame?.(this.#deps.clock.now());
  }

  /** Call after the rows were announced: the editor delays them for 200 ms after a new message. */
  #apply(frame: ViewFrame | undefined): void {
    if (frame === undefined) return;
    const { welcome, contexts, message, description, badge } = frame;
    for (const [name, value] of [welcome, ...contexts]) this.#deps.contextKeys(name, value);
    this.#welcome = welcome[1];
    // Each assignment costs a call to the window, and one of the message delays the next rows, even if it's the same.
    if ((this.#view.message ?? '') !== message) this.#view.message = message;
    if ((this.#view.description ?? '') !== description) this.#view.description = description;
    if (!isSameBadge(this.#view.badge, badge)) this.#view.badge = badge;
  }

  #render(element: TreeRow<T>): vscode.TreeItem {
    if (isCommon(element)) return renderCommon(element);
    const { ages, clock } = this.#deps;
    const now = this.#isCounting(element) ? clock.now() : ages.now;
    return this.#source.render(element, now) ?? placeholderItem();
  }

  #isCounting(element: TreeRow<T>): boolean {
    return !isCommon(element) && this.#source.isCounting?.(element) === true;
  }

  #inSightBelow(owner: string): readonly TreeRow<T>[] {
    const keys = this.#listings.get(owner)?.keys ?? [];
    return keys.flatMap((key) => {
      const element = this.#elements.find(key);
      if (element === undefined) return [];
      return this.#unfolded.has(key) ? [element, ...this.#inSightBelow(key)] : [element];
    });
  }

  /** Redraws those of the rows that were drawn and would look different now. */
  #fireChanged(elements: readonly TreeRow<T>[]): void {
    const changed = elements.filter((element) => {
      const drawn = this.#looks.get(element.key);
      return drawn !== undefined && drawn !== lookOf(this.#render(element));
    });
    this.#rowChanges.add(changed.map(({ key }) => key));
  }

  #announce(keys: ReadonlySet<string> | undefined): void {
    for (const key of this.#folding) {
      this.#timesFolded.set(key, (this.#timesFolded.get(key) ?? 0) + 1);
      this.#unfolded.delete(key);
    }
    this.#folding.clear();
    const elements = keys && [...keys].flatMap((key) => this.#elements.find(key) ?? []);
    if (elements?.length === 0) return;
    for (const { key } of elements ?? []) this.#unfolded.noteRedrawn(key);
    this.#changes.fire(elements);
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
    this.#looks.delete(key);
    this.#unfolded.forget(key);
    this.#timesFolded.delete(key);
    this.#folding.delete(key);
    for (const each of below) this.#forget(each);
  }

  #showAges(): Disposable {
    const { ages } = this.#deps;
    const view: AgedView = {
      tick: (isOfAll) => {
        if (!this.#view.visible) return false;
        const { inSight } = this;
        const counting = inSight.filter((element) => this.#isCounting(element));
        this.#fireChanged(isOfAll ? inSight : counting);
        return counting.length > 0;
      },
    };
    const added = ages.add(view);
    const attention = watchAttention(this.#view, ({ isVisible, isFocused }) =>
      ages.setLookedAt(view, isVisible && isFocused),
    );
    return combine(added, attention);
  }
}

/** The parts of a row that change with time or news, as text. */
function lookOf({ label, description, iconPath, contextValue }: vscode.TreeItem): string {
  const icon = iconPath instanceof vscode.ThemeIcon ? [iconPath.id, iconPath.color?.id] : [];
  return stringifyJson([label, description, icon, contextValue]);
}

function isSameBadge(left: vscode.ViewBadge | undefined, right: vscode.ViewBadge | undefined): boolean {
  return left?.value === right?.value && left?.tooltip === right?.tooltip;
}

/** Reports whether the view is visible and the window has the focus: at once, and on every change of either. */
export function watchAttention(
  view: Pick<vscode.TreeView<unknown>, 'visible' | 'onDidChangeVisibility'>,
  attend: (attention: { readonly isVisible: boolean; readonly isFocused: boolean }) => void,
): Disposable {
  const owned = new DisposableStore();
  const report = (): void => attend({ isVisible: view.visible, isFocused: vscode.window.state.focused });
  owned.add(view.onDidChangeVisibility(report));
  owned.add(vscode.window.onDidChangeWindowState(report));
  report();
  return owned;
}
