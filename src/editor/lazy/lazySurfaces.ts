// Everything the editor needs at activation. Each surface stands for a part of the app, which is loaded on first use.
import type * as vscode from 'vscode';
import {
  Disposable as EditorDisposable,
  EventEmitter,
  FileSystemError,
  languages,
  Uri,
  tasks,
  window,
  workspace,
} from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { DocumentOpener } from '../documents/documentOpener.ts';

/** Loads the app, which attaches a provider to each surface, one after the other. Returns the same promise on every call. */
export type LoadApp = () => Promise<unknown>;

/** A value that the app sets while it's loaded. */
export class Deferred<T> {
  readonly #load: LoadApp;
  readonly #waiting = new Set<(value: T) => void>();
  #value: T | undefined;

  constructor(load: LoadApp) {
    this.#load = load;
  }

  resolve(value: T): void {
    this.#value = value;
    for (const resolve of this.#waiting) resolve(value);
    this.#waiting.clear();
  }

  /** Loads the app if needed, and waits no longer than for this value. Rejects with the error that loading failed with. */
  async get(): Promise<T> {
    if (this.#value !== undefined) return this.#value;
    return new Promise((resolve, reject) => {
      this.#waiting.add(resolve);
      this.#load().then(() => reject(new Error('The app attached nothing.')), reject);
    });
  }
}

/** A surface whose provider the app attaches. */
export class LazySurface<Provider, Change = void> implements Disposable {
  readonly #provider: Deferred<Provider>;
  readonly #changesOf: (provider: Provider) => vscode.Event<Change> | undefined;
  readonly #owned = new DisposableStore();
  /** Fires for the provider's changes once it's attached. */
  protected readonly changes = this.#owned.add(new EventEmitter<Change>());

  constructor(
    load: LoadApp,
    changesOf: (provider: Provider) => vscode.Event<Change> | undefined = () => undefined,
  ) {
    this.#provider = new Deferred(load);
    this.#changesOf = changesOf;
  }

  /** Passes the editor's requests to the provider. The returned disposable stops the change events. */
  attach(provider: Provider): Disposable {
    this.#provider.resolve(provider);
    return this.#changesOf(provider)?.((change) => this.changes.fire(change)) ?? { dispose: () => undefined };
  }

  dispose(): void {
    this.#owned.dispose();
  }

  /** Disposes of a registration together with the surface. */
  protected own<T extends Disposable>(registration: T): T {
    return this.#owned.add(registration);
  }

  protected provider(): Promise<Provider> {
    return this.#provider.get();
  }
}

/** Documents of one scheme that come from the app. */
class LazyScheme<Provider, Change> extends LazySurface<Provider, Change> {
  readonly #opener: DocumentOpener;

  constructor(
    opener: DocumentOpener,
    load: LoadApp,
    changesOf: (provider: Provider) => vscode.Event<Change> | undefined,
  ) {
    super(load, changesOf);
    this.#opener = opener;
  }

  /** Rejects with the error of the app's provider. */
  open(uri: vscode.Uri): Promise<vscode.TextDocument> {
    return this.#opener.open(uri);
  }

  /** Reads a document's content from the provider. */
  protected read<T>(uri: vscode.Uri, read: (provider: Provider) => T | Thenable<T>): Promise<T> {
    return this.#opener.provide(uri, async () => read(await this.provider()));
  }
}

/** Readable and perhaps writable files. Each stands for a resource of a service, so none can be created, moved or deleted at will. */
export interface Files {
  readonly onDidChangeFile: vscode.Event<vscode.FileChangeEvent[]>;
  stat(uri: vscode.Uri): Promise<vscode.FileStat>;
  readFile(uri: vscode.Uri): Promise<Uint8Array>;
  writeFile(uri: vscode.Uri, content: Uint8Array): Promise<void>;
  /** Throws unless this file is what the extension itself lets the editor move. Without it no file is. */
  rename?(from: vscode.Uri, to: vscode.Uri): void;
  /** The same for the file that the moved one replaces, before it's moved. */
  delete?(uri: vscode.Uri): void;
}

function refuse(uri: vscode.Uri): never {
  throw FileSystemError.NoPermissions(uri);
}

/** The editor shows an error's name in front of its message; our messages don't need one. */
async function withReadableErrors<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof Error) || error instanceof FileSystemError) throw error;
    throw Object.assign(new Error(error.message, { cause: error }), { name: '' });
  }
}

const byteOrderMark = Uint8Array.of(0xef, 0xbb, 0xbf);

/** True where the editor would read UTF-8 as something else. A byte order mark counts more than these settings. */
function needsMark(uri: vscode.Uri): boolean {
  const files = workspace.getConfiguration('files', uri);
  return files.get<string>('encoding', 'utf8') !== 'utf8' || files.get('autoGuessEncoding', false);
}

/** A file system whose files come from the app, in UTF-8. */
export class LazyFiles extends LazyScheme<Files, vscode.FileChangeEvent[]> {
  /** The files that were read with a byte order mark, which the editor then saves too. */
  readonly #marked = new Set<string>();

  constructor(scheme: string, opener: DocumentOpener, load: LoadApp) {
    super(opener, load, (files) => files.onDidChangeFile);
    const fileSystem: vscode.FileSystemProvider = {
      onDidChangeFile: this.changes.event,
      watch: () => new EditorDisposable(() => undefined),
      stat: (uri) => withReadableErrors(this.read(uri, (files) => files.stat(uri))),
      readFile: (uri) => withReadableErrors(this.#readFile(uri)),
      writeFile: (uri, content) => withReadableErrors(this.#writeFile(uri, content)),
      readDirectory: () => [],
      // A folder is only the name of a connection. The editor creates it when it saves a file that was deleted.
      createDirectory: () => undefined,
      delete: async (uri) => {
        const files = await this.provider();
        if (files.delete === undefined) refuse(uri);
        files.delete(uri);
      },
      rename: async (from, to) => {
        const files = await this.provider();
        if (files.rename === undefined) refuse(from);
        files.rename(from, to);
      },
    };
    this.own(workspace.registerFileSystemProvider(scheme, fileSystem, { isCaseSensitive: true }));
  }

  async #readFile(uri: vscode.Uri): Promise<Uint8Array> {
    const content = await this.read(uri, (files) => files.readFile(uri));
    const isMarked = needsMark(uri);
    if (isMarked) this.#marked.add(uri.toString());
    else this.#marked.delete(uri.toString());
    return isMarked ? Buffer.concat([byteOrderMark, content]) : content;
  }

  async #writeFile(uri: vscode.Uri, content: Uint8Array): Promise<void> {
    const files = await this.provider();
    const hasMark = byteOrderMark.every((byte, at) => content[at] === byte);
    const isOurs = hasMark && this.#marked.has(uri.toString());
    await files.writeFile(uri, isOurs ? content.subarray(byteOrderMark.length) : content);
  }
}

/** Read-only documents whose text comes from the app. */
export class LazyDocuments extends LazyScheme<vscode.TextDocumentContentProvider, vscode.Uri> {
  constructor(scheme: string, opener: DocumentOpener, load: LoadApp) {
    super(opener, load, (provider) => provider.onDidChange);
    const provider: vscode.TextDocumentContentProvider = {
      onDidChange: this.changes.event,
      provideTextDocumentContent: (uri, token) =>
        this.read<string | null | undefined>(uri, (documents) =>
          documents.provideTextDocumentContent(uri, token),
        ),
    };
    this.own(workspace.registerTextDocumentContentProvider(scheme, provider));
  }
}

/** Code lenses that the editor may request when the app isn't loaded yet. */
export class LazyLenses extends LazySurface<vscode.CodeLensProvider> {
  constructor(selector: vscode.DocumentSelector, load: LoadApp) {
    super(load, (lenses) => lenses.onDidChangeCodeLenses);
    const provider: vscode.CodeLensProvider = {
      onDidChangeCodeLenses: this.changes.event,
      provideCodeLenses: async (document, token) =>
        (await this.provider()).provideCodeLenses(document, token),
    };
    this.own(languages.registerCodeLensProvider(selector, provider));
  }
}

/** Links to the extension, which the editor hands over when the user allows it. */
export class LazyLinks extends LazySurface<vscode.UriHandler> {
  constructor(load: LoadApp) {
    super(load);
    this.own(window.registerUriHandler({ handleUri: async (uri) => (await this.provider()).handleUri(uri) }));
  }
}

/** Loads the app once a document of this kind is open, for what it says about such documents by itself. */
export function loadForDocuments(selector: vscode.DocumentSelector, load: LoadApp): Disposable {
  const loadFor = (document: vscode.TextDocument): void => {
    if (languages.match(selector, document) > 0) void load();
  };
  for (const document of workspace.textDocuments) loadFor(document);
  return workspace.onDidOpenTextDocument(loadFor);
}

/** Loads the app for a trusted workspace with a folder that has one of these files, which the app shows by itself. Only these places are looked at. */
export function loadForFiles(paths: readonly string[], load: LoadApp): Disposable {
  const look = async (): Promise<void> => {
    if (!workspace.isTrusted) return;
    const folders = workspace.workspaceFolders ?? [];
    const found = await Promise.allSettled(
      folders.flatMap(({ uri }) => paths.map((path) => workspace.fs.stat(Uri.joinPath(uri, path)))),
    );
    if (found.some(({ status }) => status === 'fulfilled')) void load();
  };
  void look();
  return workspace.onDidGrantWorkspaceTrust(() => void look());
}

/** A place in a document, with the text as it was when the editor asked: somebody may type on while the app is loaded. */
export interface TextPlace {
  readonly document: vscode.TextDocument;
  readonly text: string;
  readonly position: vscode.Position;
  /** The position in UTF-16 units. */
  readonly offset: number;
}

/** What the editor shows while somebody types or points. */
interface Help {
  /** trigger: the character that was typed, if it makes the editor ask. */
  complete(place: TextPlace, trigger: string | undefined): Promise<vscode.CompletionItem[]>;
  explain(place: TextPlace): Promise<vscode.Hover | undefined>;
}

function placeAt(document: vscode.TextDocument, position: vscode.Position): TextPlace {
  return { document, text: document.getText(), position, offset: document.offsetAt(position) };
}

/** Completion and hovers that the editor may request when the app isn't loaded yet. */
export class LazyHelp extends LazySurface<Help> {
  /** triggers: the characters after which the editor asks for completions. */
  constructor(selector: vscode.DocumentSelector, triggers: readonly string[], load: LoadApp) {
    super(load);
    const completion: vscode.CompletionItemProvider = {
      provideCompletionItems: async (document, position, token, { triggerCharacter }) => {
        const place = placeAt(document, position);
        const help = await this.provider();
        return token.isCancellationRequested ? undefined : help.complete(place, triggerCharacter);
      },
    };
    const hover: vscode.HoverProvider = {
      provideHover: async (document, position, token) => {
        const place = placeAt(document, position);
        const help = await this.provider();
        return token.isCancellationRequested ? undefined : help.explain(place);
      },
    };
    this.own(languages.registerCompletionItemProvider(selector, completion, ...triggers));
    this.own(languages.registerHoverProvider(selector, hover));
  }
}

/** Where names are declared and used, and their renaming. */
type Symbols = vscode.DefinitionProvider & vscode.ReferenceProvider & Required<vscode.RenameProvider>;

/** What the editor may ask of the names in a text when the app isn't loaded yet. It drops the result where somebody has typed on. */
export class LazySymbols extends LazySurface<Symbols> {
  constructor(selector: vscode.DocumentSelector, load: LoadApp) {
    super(load);
    const symbols: Symbols = {
      provideDefinition: async (...asked) => (await this.provider()).provideDefinition(...asked),
      provideReferences: async (...asked) => (await this.provider()).provideReferences(...asked),
      prepareRename: async (...asked) => (await this.provider()).prepareRename(...asked),
      provideRenameEdits: async (...asked) => (await this.provider()).provideRenameEdits(...asked),
    };
    this.own(languages.registerDefinitionProvider(selector, symbols));
    this.own(languages.registerReferenceProvider(selector, symbols));
    this.own(languages.registerRenameProvider(selector, symbols));
  }
}

/** A view whose page comes from the app, which is loaded when the view is first shown. */
export class LazyWebview extends LazySurface<vscode.WebviewViewProvider> {
  constructor(viewId: string, load: LoadApp) {
    super(load);
    this.own(
      window.registerWebviewViewProvider(viewId, {
        resolveWebviewView: async (view, context, token) => {
          const provider = await this.provider();
          if (!token.isCancellationRequested) await provider.resolveWebviewView(view, context, token);
        },
      }),
    );
  }
}

/** Tasks of one type, which the editor lists and runs before or after the app is loaded. */
export class LazyTasks extends LazySurface<vscode.TaskProvider> {
  constructor(type: string, load: LoadApp) {
    super(load);
    this.own(
      tasks.registerTaskProvider(type, {
        provideTasks: async (token) => (await this.provider()).provideTasks(token),
        resolveTask: async (task, token) => (await this.provider()).resolveTask(task, token),
      }),
    );
  }
}
