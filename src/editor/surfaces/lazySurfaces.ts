// What the editor must find at activation; each stands for a part of the app, which is loaded with the first use of any.
import {
  Disposable as EditorDisposable,
  EventEmitter,
  FileSystemError,
  languages,
  window,
  workspace,
} from 'vscode';
import type * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import type { Openings } from './openings.ts';

/** Loads the app, which fills the slots; the same promise however often it is called. */
export type LoadApp = () => Promise<unknown>;

/** A place that the app fills when it is loaded. */
class Slot<T> {
  readonly #load: LoadApp;
  #value: T | undefined;

  constructor(load: LoadApp) {
    this.#load = load;
  }

  fill(value: T): void {
    this.#value = value;
  }

  async value(): Promise<T> {
    if (this.#value === undefined) await this.#load();
    if (this.#value === undefined) throw new Error('The app did not fill a slot.');
    return this.#value;
  }
}

/** Takes what was dropped onto a tree; the data are there only until the promise settles. */
export type DropHandler = (data: vscode.DataTransfer) => Promise<void>;

export interface LazyTreeOptions {
  readonly showCollapseAll: boolean;
  readonly canSelectMany?: boolean;
  /** The media types that may be dropped onto the tree; none by default. */
  readonly drops?: readonly string[];
}

/** A tree view whose rows come from the app. */
export interface LazyTree<T> extends Disposable {
  readonly view: vscode.TreeView<T>;
  fill(provider: vscode.TreeDataProvider<T>): Disposable;
  fillDrops(handle: DropHandler): void;
}

export function createLazyTree<T>(
  viewId: string,
  load: LoadApp,
  { showCollapseAll, canSelectMany = false, drops = [] }: LazyTreeOptions,
): LazyTree<T> {
  const slot = new Slot<vscode.TreeDataProvider<T>>(load);
  const dropSlot = new Slot<DropHandler>(load);
  const changes = new EventEmitter<T | T[] | undefined>();
  const view = window.createTreeView<T>(viewId, {
    showCollapseAll,
    canSelectMany,
    ...(drops.length === 0
      ? {}
      : {
          dragAndDropController: {
            dragMimeTypes: [],
            dropMimeTypes: drops,
            handleDrop: async (_target: T | undefined, data: vscode.DataTransfer) =>
              (await dropSlot.value())(data),
          },
        }),
    treeDataProvider: {
      onDidChangeTreeData: changes.event,
      getChildren: async (element) => (await slot.value()).getChildren(element),
      getTreeItem: async (element) => (await slot.value()).getTreeItem(element),
      getParent: async (element) => (await slot.value()).getParent?.(element),
    },
  });
  return {
    view,
    fill: (provider) => {
      slot.fill(provider);
      return (
        provider.onDidChangeTreeData?.((elements) => changes.fire(elements ?? undefined)) ?? {
          dispose: () => undefined,
        }
      );
    },
    fillDrops: (handle) => dropSlot.fill(handle),
    dispose: () => {
      view.dispose();
      changes.dispose();
    },
  };
}

/** Files that can be read and perhaps written; each stands for something of a service, so none is made, moved or deleted as a file. */
export interface Files {
  readonly onDidChangeFile: vscode.Event<vscode.FileChangeEvent[]>;
  stat(uri: vscode.Uri): Promise<vscode.FileStat>;
  readFile(uri: vscode.Uri): Promise<Uint8Array>;
  writeFile(uri: vscode.Uri, content: Uint8Array): Promise<void>;
}

/** A file system whose files come from the app. */
export interface LazyFiles extends Disposable {
  /** Opens one; rejects with what its provider failed with. */
  open(uri: vscode.Uri): Promise<vscode.TextDocument>;
  fill(files: Files): Disposable;
}

function refuse(uri: vscode.Uri): never {
  throw FileSystemError.NoPermissions(uri);
}

/** The editor shows an error of a file with its name before its words; ours have words only. */
async function inWords<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof Error) || error instanceof FileSystemError) throw error;
    throw Object.assign(new Error(error.message, { cause: error }), { name: '' });
  }
}

export function registerLazyFiles(scheme: string, openings: Openings, load: LoadApp): LazyFiles {
  const slot = new Slot<Files>(load);
  const changes = new EventEmitter<vscode.FileChangeEvent[]>();
  const registration = workspace.registerFileSystemProvider(
    scheme,
    {
      onDidChangeFile: changes.event,
      watch: () => new EditorDisposable(() => undefined),
      stat: (uri) => inWords(openings.provide(uri, async () => (await slot.value()).stat(uri))),
      readFile: (uri) => inWords(openings.provide(uri, async () => (await slot.value()).readFile(uri))),
      writeFile: (uri, content) => inWords(slot.value().then((files) => files.writeFile(uri, content))),
      readDirectory: () => [],
      // A folder is but the name of a connection. Before it saves what is gone, the editor wants its folder made.
      createDirectory: () => undefined,
      delete: refuse,
      rename: refuse,
    },
    { isCaseSensitive: true },
  );
  return {
    open: (uri) => openings.open(uri),
    fill: (files) => {
      slot.fill(files);
      return files.onDidChangeFile((events) => changes.fire(events));
    },
    dispose: () => {
      registration.dispose();
      changes.dispose();
    },
  };
}

/** Read-only documents whose text comes from the app. */
export interface LazyDocuments extends Disposable {
  /** Opens one; rejects with what the provider failed with. */
  open(uri: vscode.Uri): Promise<vscode.TextDocument>;
  fill(provider: vscode.TextDocumentContentProvider): Disposable;
}

export function registerLazyDocuments(scheme: string, openings: Openings, load: LoadApp): LazyDocuments {
  const slot = new Slot<vscode.TextDocumentContentProvider>(load);
  const changes = new EventEmitter<vscode.Uri>();
  const registration = workspace.registerTextDocumentContentProvider(scheme, {
    onDidChange: changes.event,
    provideTextDocumentContent: (uri, token) =>
      openings.provide(uri, async () => (await slot.value()).provideTextDocumentContent(uri, token)),
  });
  return {
    open: (uri) => openings.open(uri),
    fill: (provider) => {
      slot.fill(provider);
      return provider.onDidChange?.((uri) => changes.fire(uri)) ?? { dispose: () => undefined };
    },
    dispose: () => {
      registration.dispose();
      changes.dispose();
    },
  };
}

/** Lines of actions above files that the editor may show before the app is loaded. */
export interface LazyLenses extends Disposable {
  fill(provider: vscode.CodeLensProvider): Disposable;
}

export function registerLazyLenses(selector: vscode.DocumentSelector, load: LoadApp): LazyLenses {
  const slot = new Slot<vscode.CodeLensProvider>(load);
  const changes = new EventEmitter<void>();
  const registration = languages.registerCodeLensProvider(selector, {
    onDidChangeCodeLenses: changes.event,
    provideCodeLenses: async (document, token) => (await slot.value()).provideCodeLenses(document, token),
  });
  return {
    fill: (provider) => {
      slot.fill(provider);
      return provider.onDidChangeCodeLenses?.(() => changes.fire()) ?? { dispose: () => undefined };
    },
    dispose: () => {
      registration.dispose();
      changes.dispose();
    },
  };
}
