// An extension of its own that serves a workspace out of memory, as extensions for repositories and archives do: no disk, and no search.
import * as vscode from 'vscode';

interface Entry {
  readonly stat: vscode.FileStat;
  readonly content: Uint8Array;
}

const scheme = 'test-files';

export class MemoryFiles implements vscode.FileSystemProvider {
  readonly #entries = new Map<string, Entry>();
  readonly #changes = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.#changes.event;
  readonly #reads: string[] = [];

  constructor() {
    this.#put('/workspace', vscode.FileType.Directory);
  }

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => undefined);
  }

  stat(uri: vscode.Uri): vscode.FileStat {
    return this.#need(uri).stat;
  }

  readDirectory(uri: vscode.Uri): [string, vscode.FileType][] {
    this.#need(uri);
    return [...this.#entries]
      .filter(([path]) => path.slice(0, path.lastIndexOf('/')) === uri.path)
      .map(([path, { stat }]) => [path.slice(path.lastIndexOf('/') + 1), stat.type]);
  }

  createDirectory(uri: vscode.Uri): void {
    this.#put(uri.path, vscode.FileType.Directory);
    this.#changes.fire([{ type: vscode.FileChangeType.Created, uri }]);
  }

  /** The paths of the files that were read since the last call, each as often as it was. */
  takeReads(): readonly string[] {
    return this.#reads.splice(0);
  }

  readFile(uri: vscode.Uri): Uint8Array {
    this.#reads.push(uri.path);
    return this.#need(uri).content;
  }

  writeFile(uri: vscode.Uri, content: Uint8Array): void {
    this.#need(uri.with({ path: uri.path.slice(0, uri.path.lastIndexOf('/')) }));
    const isThere = this.#entries.has(uri.path);
    this.#put(uri.path, vscode.FileType.File, content);
    this.#changes.fire([
      { type: isThere ? vscode.FileChangeType.Changed : vscode.FileChangeType.Created, uri },
    ]);
  }

  delete(uri: vscode.Uri): void {
    this.#need(uri);
    this.#entries.delete(uri.path);
    this.#changes.fire([{ type: vscode.FileChangeType.Deleted, uri }]);
  }

  rename(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  #need(uri: vscode.Uri): Entry {
    const entry = this.#entries.get(uri.path);
    if (entry === undefined) throw vscode.FileSystemError.FileNotFound(uri);
    return entry;
  }

  #put(path: string, type: vscode.FileType, content: Uint8Array = new Uint8Array()): void {
    const stat = { type, ctime: 0, mtime: Date.now(), size: content.byteLength };
    this.#entries.set(path, { stat, content });
  }
}

export function activate({ subscriptions }: vscode.ExtensionContext): void {
  const files = new MemoryFiles();
  subscriptions.push(
    vscode.workspace.registerFileSystemProvider(scheme, files, { isCaseSensitive: true }),
    vscode.commands.registerCommand('tests.takeReads', () => files.takeReads()),
  );
}
