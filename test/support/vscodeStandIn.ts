// Small versions of the parts of `vscode` that view code is made of, so that it runs in plain mocha. `registerVscode.ts` puts them in its place.
import { createTreeView } from './treeViews.ts';
import { t } from '@vscode/l10n';
import type * as vscode from 'vscode';
import { URI, Utils } from 'vscode-uri';
import { Emitter } from '../../src/base/event.ts';
import { FolderInMemory } from './folderInMemory.ts';
import { Configuration } from './configuration.ts';
import { LogChannel, logChannels } from './logChannels.ts';
import {
  type ActionProvider,
  type CompletionProvider,
  type LensProvider,
  providers,
  type SymbolProvider,
} from './providers.ts';
import { withProgress } from './progress.ts';
import { QuickInputs } from './quickInputs.ts';
import type { Position, Range } from './ranges.ts';
import { Front, TabInputText, TabInputTextDiff } from './tabs.ts';

export const l10n = { t, bundle: undefined, uri: undefined };
export const env = { language: 'en' };
export const ProgressLocation = { Notification: 15 };
export const version = '0.0.0';
export const Uri = Object.assign(URI, { joinPath: Utils.joinPath });
export { Location, Position, Range, TextEdit, WorkspaceEdit } from './ranges.ts';
export { Emitter as EventEmitter, TabInputText, TabInputTextDiff };

export class Disposable {
  readonly dispose: () => void;
  constructor(dispose: () => void) {
    this.dispose = dispose;
  }
}

/** An event that doesn't happen here. */
const never = () => new Disposable(() => undefined);

type OpenDocument = Pick<vscode.TextDocument, 'uri'>;

interface DocumentChange {
  readonly document: OpenDocument;
  readonly contentChanges: readonly unknown[];
}

/** Documents that a test opens and closes; the events are the editor's. */
export class Documents {
  readonly #all: OpenDocument[] = [];
  readonly #opened = new Emitter<OpenDocument>();
  readonly #closed = new Emitter<OpenDocument>();
  readonly #changed = new Emitter<DocumentChange>();
  readonly onDidOpen = this.#opened.event;
  readonly onDidClose = this.#closed.event;
  readonly onDidChange = this.#changed.event;
  readonly all: readonly OpenDocument[] = this.#all;
  /** How the editor reads one that isn't open, unless a test has it read in another way. */
  read: (uri: vscode.Uri) => Promise<OpenDocument> = (uri) => Promise.resolve({ uri });

  open(document: OpenDocument): void {
    this.#all.push(document);
    this.#opened.fire(document);
  }

  /** Tells that the text of a document is another one now. */
  change(document: OpenDocument): void {
    this.#changed.fire({ document, contentChanges: [{}] });
  }

  close(document: OpenDocument): void {
    this.#all.splice(this.#all.indexOf(document), 1);
    this.#closed.fire(document);
  }
}

export const documents = new Documents();

export const configuration = new Configuration();
export const ConfigurationTarget = { Global: 1, Workspace: 2, WorkspaceFolder: 3 };

/** The workspace has this folder while a test has it open. */
export const folder = new FolderInMemory((uri) => FileSystemError.FileNotFound(uri));

export const workspace = {
  textDocuments: documents.all,
  get workspaceFolders() {
    return folder.isOpen ? [folder] : undefined;
  },
  get isTrusted() {
    return folder.isTrusted;
  },
  getWorkspaceFolder: ({ scheme }: vscode.Uri) =>
    folder.isOpen && scheme === folder.uri.scheme ? folder : undefined,
  asRelativePath: ({ path }: vscode.Uri) => path,
  fs: folder.fileSystem,
  createFileSystemWatcher: folder.watch,
  onDidGrantWorkspaceTrust: folder.onDidGrantTrust,
  onDidChangeWorkspaceFolders: never,
  onDidRenameFiles: folder.onDidRename,
  onDidOpenTextDocument: documents.onDidOpen,
  onDidCloseTextDocument: documents.onDidClose,
  onDidChangeTextDocument: documents.onDidChange,
  onDidSaveTextDocument: never,
  onWillSaveTextDocument: never,
  onDidChangeConfiguration: configuration.onDidChange,
  registerTextDocumentContentProvider: never,
  registerFileSystemProvider: (_scheme: string, provider: vscode.FileSystemProvider) => {
    providers.files = provider;
    return new Disposable(() => undefined);
  },
  openTextDocument: (uri: vscode.Uri) => documents.read(uri),
  /** The editor refuses every edit. */
  applyEdit: () => Promise.resolve(false),
  getConfiguration: (section: string) => ({
    get: (name: string, fallback?: unknown) => configuration.get(`${section}.${name}`) ?? fallback,
    inspect: () => undefined,
    update: (name: string, value: unknown) => {
      configuration.set(`${section}.${name}`, value);
      return Promise.resolve();
    },
  }),
};

export const front = new Front();

/** Messages are closed unanswered unless a test answers them with one of their buttons. */
class Messages {
  answer: (items: readonly unknown[]) => Promise<unknown> = () => Promise.resolve(undefined);
  /** The warnings and errors that were shown. */
  readonly troubles: string[] = [];

  readonly showTrouble = (text: string): Promise<undefined> => {
    this.troubles.push(text);
    return Promise.resolve(undefined);
  };
}

export const messages = new Messages();

/** The diagnostics of a collection, by the address of the document. */
class Diagnostics {
  readonly #held = new Map<string, readonly Diagnostic[]>();

  of(address: string): readonly Diagnostic[] {
    return this.#held.get(address) ?? [];
  }
  set(uri: URI, diagnostics: readonly Diagnostic[]): void {
    this.#held.set(uri.toString(), diagnostics);
  }
  delete(uri: URI): void {
    this.#held.delete(uri.toString());
  }
  clear(): void {
    this.#held.clear();
  }
  dispose(): void {
    this.clear();
  }
}

/** By name, those that were created last. */
export const collections = new Map<string, Diagnostics>();

export const languages = {
  createDiagnosticCollection: (name: string) => {
    const collection = new Diagnostics();
    collections.set(name, collection);
    return collection;
  },
  /** Of the patterns, those that begin with any folder. */
  match: (selector: vscode.DocumentFilter | '*', { uri }: OpenDocument): number => {
    if (selector === '*') return 5;
    const { scheme = uri.scheme, pattern = '**/*' } = selector;
    const isMatch = typeof pattern === 'string' && uri.path.endsWith(pattern.replace('**/*', ''));
    return isMatch && scheme === uri.scheme ? 10 : 0;
  },
  registerCodeActionsProvider: (_selector: unknown, provider: ActionProvider) => {
    providers.actions = provider;
    return new Disposable(() => undefined);
  },
  registerCodeLensProvider: (_selector: unknown, provider: LensProvider) => {
    providers.lenses = provider;
    return new Disposable(() => undefined);
  },
  registerHoverProvider: never,
  registerDefinitionProvider: (_selector: unknown, provider: SymbolProvider) => {
    providers.symbols = provider;
    return new Disposable(() => undefined);
  },
  registerReferenceProvider: never,
  registerDocumentLinkProvider: never,
  registerRenameProvider: never,
  registerCompletionItemProvider: (_selector: unknown, provider: CompletionProvider) => {
    providers.completion = provider;
    return new Disposable(() => undefined);
  },
};

/** Whether the window has the focus, as a test sets it. */
export class WindowFocus {
  readonly #changed = new Emitter<vscode.WindowState>();
  readonly onDidChange = this.#changed.event;
  state: vscode.WindowState = { focused: true, active: true };

  set(focused: boolean): void {
    this.state = { focused, active: focused };
    this.#changed.fire(this.state);
  }
}

export const quickInputs = new QuickInputs();
export const QuickInputButtons = { Back: {} };

export const tasks = { registerTaskProvider: never };

export const windowFocus = new WindowFocus();

export const window = {
  withProgress,
  get state() {
    return windowFocus.state;
  },
  onDidChangeWindowState: windowFocus.onDidChange,
  /** Every open document is in sight. */
  get visibleTextEditors() {
    return documents.all.map((document) => ({ document }));
  },
  onDidChangeVisibleTextEditors: documents.onDidOpen,
  tabGroups: front,
  showTextDocument: ({ uri }: OpenDocument) => {
    front.show(new TabInputText(URI.from(uri)), uri);
    return Promise.resolve();
  },
  get activeTextEditor() {
    return front.cursor && { document: { uri: front.cursor } };
  },
  onDidChangeActiveTextEditor: (listener: (editor: unknown) => void) =>
    front.onDidChangeTabs(() => listener(window.activeTextEditor)),
  onDidChangeTextEditorSelection: never,
  registerFileDecorationProvider: never,
  createTreeView,
  createOutputChannel: (name: string) => {
    const channel = new LogChannel();
    logChannels.set(name, channel);
    return channel;
  },
  createStatusBarItem: (id: string) => {
    const item = new StatusBarItem();
    statusBarItems.set(id, item);
    return item;
  },
  createQuickPick: quickInputs.createQuickPick,
  createInputBox: quickInputs.createInputBox,
  /** Enter takes what stands there. */
  showInputBox: ({ value = '' }: vscode.InputBoxOptions = {}) => Promise.resolve(value),
  showInformationMessage: (_text: string, ...items: readonly unknown[]) => messages.answer(items),
  /** Every other message is closed unanswered. */
  showWarningMessage: messages.showTrouble,
  showErrorMessage: messages.showTrouble,
};

/** What the status bar shows; by id, those that were created last. */
export const statusBarItems = new Map<string, StatusBarItem>();
export const StatusBarAlignment = { Left: 1, Right: 2 };

class StatusBarItem {
  text = '';
  tooltip = '';
  isShown = false;

  show(): void {
    this.isShown = true;
  }
  hide(): void {
    this.isShown = false;
  }
  dispose(): void {
    this.hide();
  }
}

const registered = new Map<string, (...values: readonly unknown[]) => unknown>();
export const commands = {
  registerCommand: (id: string, run: (...values: readonly unknown[]) => unknown) => {
    registered.set(id, run);
    return new Disposable(() => registered.delete(id));
  },
  executeCommand: (id: string, ...values: readonly unknown[]) =>
    Promise.resolve(registered.get(id)?.(...values)),
};

export class ThemeColor {
  readonly id: string;
  constructor(id: string) {
    this.id = id;
  }
}

export class ThemeIcon {
  static readonly File = new ThemeIcon('file');
  static readonly Folder = new ThemeIcon('folder');
  readonly id: string;
  readonly color: ThemeColor | undefined;
  constructor(id: string, color?: ThemeColor) {
    this.id = id;
    this.color = color;
  }
}

export class MarkdownString {
  value: string;
  isTrusted?: boolean | { readonly enabledCommands: readonly string[] };
  supportHtml?: boolean;
  supportThemeIcons?: boolean;
  constructor(value = '') {
    this.value = value;
  }
}

export const CompletionItemKind = {
  Field: 4,
  Variable: 5,
  Function: 2,
  Keyword: 13,
  Reference: 17,
  EnumMember: 19,
  Snippet: 26,
} as const;

export class InlayHint {
  readonly position: Position;
  readonly label: string;
  constructor(position: Position, label: string) {
    this.position = position;
    this.label = label;
  }
}

export const TreeItemCollapsibleState = { None: 0, Collapsed: 1, Expanded: 2 } as const;

export class TreeItem {
  label?: string | vscode.TreeItemLabel;
  resourceUri?: URI;
  collapsibleState: number;
  constructor(
    labelOrUri: string | vscode.TreeItemLabel | URI,
    collapsibleState: number = TreeItemCollapsibleState.None,
  ) {
    if (URI.isUri(labelOrUri)) this.resourceUri = labelOrUri;
    else this.label = labelOrUri;
    this.collapsibleState = collapsibleState;
  }
}

export class CodeLens {
  readonly range: Range;
  readonly command: vscode.Command | undefined;
  constructor(range: Range, command?: vscode.Command) {
    this.range = range;
    this.command = command;
  }
}

export const EndOfLine = { LF: 1, CRLF: 2 } as const;

export const DiagnosticSeverity = { Error: 0, Warning: 1, Information: 2, Hint: 3 } as const;

export const CodeActionKind = { QuickFix: 'quickfix' } as const;

export class CodeAction {
  readonly title: string;
  constructor(title: string) {
    this.title = title;
  }
}

export class Diagnostic {
  readonly range: Range;
  readonly message: string;
  readonly severity: number;
  constructor(range: Range, message: string, severity: number = DiagnosticSeverity.Error) {
    this.range = range;
    this.message = message;
    this.severity = severity;
  }
}

export const FileChangeType = { Changed: 1, Created: 2, Deleted: 3 } as const;
export const FileType = { Unknown: 0, File: 1, Directory: 2, SymbolicLink: 64 } as const;

/** An error of the file system, with the editor's code for it. */
export class FileSystemError extends Error {
  readonly code: string;
  constructor(about: string | URI = '', code = 'Unknown') {
    super(String(about));
    this.code = code;
  }
  static readonly FileNotFound = (about?: string | URI) => new FileSystemError(about, 'FileNotFound');
  static readonly NoPermissions = (about?: string | URI) => new FileSystemError(about, 'NoPermissions');
  static readonly Unavailable = (about?: string | URI) => new FileSystemError(about, 'Unavailable');
}
