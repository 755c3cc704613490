import { window } from 'vscode';
import type * as vscode from 'vscode';
import { Deferred, LazySurface, type LoadApp } from './lazySurfaces.ts';
import { RowSelection } from '../tree/rowSelection.ts';
import type { RowElement } from '../tree/treeElements.ts';

/** Handles a drop onto a tree. The data is only available until the promise settles. */
export type DropHandler = (data: vscode.DataTransfer) => Promise<void>;

/** Provides a tree's rows. */
interface RowProvider extends vscode.TreeDataProvider<RowElement> {
  readonly onDidChangeTreeData: vscode.Event<RowElement[] | undefined>;
  getParent(element: RowElement): vscode.ProviderResult<RowElement>;
}

export interface TreeOptions {
  readonly showCollapseAll?: boolean;
  readonly canSelectMany?: boolean;
  /** The media types that can be dropped onto the tree. Default: none. */
  readonly drops?: readonly string[];
}

interface TreeDeps extends TreeOptions {
  readonly load: LoadApp;
  /** True if the tree has no rows for certain, which is known before the app is loaded. */
  readonly isEmpty: () => Promise<boolean>;
}

/** A tree view whose rows come from the app. One that's empty says so first: its welcome view doesn't wait for the app. */
export class LazyTree extends LazySurface<RowProvider, RowElement[] | undefined> {
  readonly #dropHandler: Deferred<DropHandler>;
  readonly view: vscode.TreeView<RowElement>;
  readonly selection: RowSelection;
  #isAsked = false;

  constructor(viewId: string, { load, isEmpty, drops, ...options }: TreeDeps) {
    super(load, (provider) => provider.onDidChangeTreeData);
    this.#dropHandler = new Deferred(load);
    const view = window.createTreeView<RowElement>(viewId, {
      ...options,
      ...(drops && {
        dragAndDropController: {
          dragMimeTypes: [],
          dropMimeTypes: drops,
          handleDrop: async (_target: unknown, data: vscode.DataTransfer) =>
            (await this.#dropHandler.get())(data),
        },
      }),
      treeDataProvider: {
        onDidChangeTreeData: this.changes.event,
        getChildren: async (element) => {
          if (!this.#isAsked && (await this.#showEmpty(isEmpty))) return [];
          return (await this.provider()).getChildren(element);
        },
        getTreeItem: async (element) => (await this.provider()).getTreeItem(element),
        getParent: async (element) => (await this.provider()).getParent(element),
      },
    });
    this.view = this.own(view);
    this.selection = this.own(new RowSelection(view));
  }

  attachDrops(handle: DropHandler): void {
    this.#dropHandler.resolve(handle);
  }

  /** For the first question only. Loads the app after it; then the editor asks again, and gets the error of loading. */
  async #showEmpty(isEmpty: () => Promise<boolean>): Promise<boolean> {
    this.#isAsked = true;
    if (!(await isEmpty())) return false;
    const askAgain = (): void => this.changes.fire(undefined);
    this.provider().then(askAgain, askAgain);
    return true;
  }
}
