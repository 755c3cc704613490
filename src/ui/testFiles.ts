// The files with tests of the workspace: each is read once, and again when it changes. Nothing is read before the workspace is trusted.
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../base/disposable.ts';
import { Emitter } from '../base/event.ts';
import { once } from '../base/async.ts';
import { Pulse } from '../base/pulse.ts';
import type { Clock } from '../base/time.ts';
import { WordedError } from '../domain/errors.ts';
import { findDocument } from '../editor/documents/documents.ts';
import { WatchedFiles } from '../editor/documents/watchedFiles.ts';
import { readTextFile } from '../editor/documents/workspaceFiles.ts';
import type { Workflows } from '../model/workflows/workflows.ts';
import type { DefinitionTargets } from './definitionTargets.ts';
import { maximumTestFile, TestFile, testFileEnding, tooLarge } from '../workflowTests/testFile.ts';

export interface FoundTestFile {
  readonly uri: vscode.Uri;
  readonly file: TestFile;
  /** Why it couldn't be read; then the file is empty. */
  readonly error?: string;
}

/** How long nothing must be typed, in milliseconds. */
const restMs = 300;

export function isTestFile(uri: vscode.Uri): boolean {
  return uri.path.endsWith(testFileEnding) && vscode.workspace.getWorkspaceFolder(uri) !== undefined;
}

/** Where a path leads that is written in a file. */
export function resolvePath(from: vscode.Uri, path: string): vscode.Uri {
  return path.startsWith('/') ? from.with({ path }) : vscode.Uri.joinPath(from, '..', ...path.split('/'));
}

/** Whether a file's tests are of the definition in this document, as far as its workflow's name is known. */
export function tests(
  {
    definitionTargets,
    workflows,
  }: {
    readonly definitionTargets: DefinitionTargets;
    readonly workflows: Pick<Workflows, 'find'>;
  },
  { uri, file }: Pick<FoundTestFile, 'uri' | 'file'>,
  definition: vscode.Uri,
): boolean {
  const { workflow } = file;
  if (workflow === undefined) return false;
  if (resolvePath(uri, workflow).toString() === definition.toString()) return true;
  const target = definitionTargets.ofEdited(definition);
  return (
    target !== undefined && (workflow === target.workflowId || workflow === workflows.find(target)?.name)
  );
}

export class TestFiles implements Disposable {
  readonly #owned = new DisposableStore();
  readonly #files = this.#owned.add(new WatchedFiles(testFileEnding));
  readonly #found = new Map<string, FoundTestFile>();
  readonly #changes = this.#owned.add(new Emitter<vscode.Uri>());
  /** Fires with the file that was read again, or is gone. */
  readonly onDidChange = this.#changes.event;
  /** What was typed into since the last rest. */
  readonly #typed = new Set<vscode.TextDocument>();
  readonly #pulse: Pulse;
  #listed = once(() => this.#files.inTurn(this.#findAll));

  constructor(clock: Clock) {
    this.#pulse = this.#owned.add(new Pulse(clock, () => this.#takeTyped(), { first: restMs }));
    const { workspace } = vscode;
    this.#owned.add(this.#files.onDidCreate((uri) => void this.#readAgain(uri)));
    this.#owned.add(this.#files.onDidChange((uri) => void this.#readChanged(uri)));
    this.#owned.add(this.#files.onDidDelete((isGone) => this.#forget(isGone)));
    this.#owned.add(
      workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length === 0 || !this.#found.has(document.uri.toString())) return;
        this.#typed.add(document);
        this.#pulse.askAtRest();
      }),
    );
    // What was typed and not saved is gone.
    this.#owned.add(
      workspace.onDidCloseTextDocument(({ uri, isDirty }) => {
        if (isDirty && this.#found.has(uri.toString())) void this.#readAgain(uri);
      }),
    );
  }

  /** All of them, in the order of their paths. */
  async list(): Promise<readonly FoundTestFile[]> {
    if (!vscode.workspace.isTrusted) return [];
    await this.#listed();
    return [...this.#found.values()].sort((one, other) => (one.uri.path < other.uri.path ? -1 : 1));
  }

  /** Looks for files again, and reads each again. */
  async refresh(): Promise<void> {
    this.#listed = once(() => this.#files.inTurn(this.#findAll));
    await this.list();
  }

  /** Takes what was typed or saved until now, without waiting for a rest. */
  catchUp(): void {
    this.#pulse.cancel();
    this.#takeTyped();
  }

  /** Reads a file again that was just written. */
  async reread(uri: vscode.Uri): Promise<void> {
    this.catchUp();
    if (vscode.workspace.isTrusted) await this.#readAgain(uri);
  }

  find(uri: vscode.Uri): FoundTestFile | undefined {
    return this.#found.get(uri.toString());
  }

  /** Reads an open document as it stands. */
  readDocument(document: vscode.TextDocument): FoundTestFile {
    const known = this.find(document.uri);
    const text = document.getText();
    if (known?.file.text === text) return known;
    return { uri: document.uri, file: new TestFile(text) };
  }

  dispose(): void {
    this.#owned.dispose();
  }

  readonly #findAll = async (): Promise<void> => {
    const found = await this.#files.find();
    this.#found.clear();
    await Promise.all(found.map((uri) => this.#take(uri)));
  };

  #forget(isGone: (uri: vscode.Uri) => boolean): void {
    const gone = [...this.#found.values()].filter(({ uri }) => isGone(uri));
    for (const { uri } of gone) {
      this.#found.delete(uri.toString());
      this.#changes.fire(uri);
    }
  }

  /** What is open says itself what has changed. */
  async #readChanged(uri: vscode.Uri): Promise<void> {
    if (findDocument(uri) === undefined) await this.#readAgain(uri);
  }

  async #readAgain(uri: vscode.Uri): Promise<void> {
    await this.#files.inTurn(() => this.#take(uri));
    this.#changes.fire(uri);
  }

  async #take(uri: vscode.Uri): Promise<void> {
    const read = await this.#read(uri);
    // It may have been opened, and typed into, while it was read.
    const open = findDocument(uri);
    const found = open === undefined ? read : this.readDocument(open);
    if (found === undefined) this.#found.delete(uri.toString());
    else this.#found.set(uri.toString(), found);
  }

  /** undefined: it's gone, or open. */
  async #read(uri: vscode.Uri): Promise<FoundTestFile | undefined> {
    if (findDocument(uri) !== undefined) return undefined;
    try {
      const text = await readTextFile(uri, maximumTestFile);
      if (text === null) return { uri, file: new TestFile(''), error: tooLarge() };
      return text === undefined ? undefined : { uri, file: new TestFile(text) };
    } catch (error) {
      if (!(error instanceof vscode.FileSystemError || error instanceof WordedError)) throw error;
      return { uri, file: new TestFile(''), error: error.message };
    }
  }

  #takeTyped(): void {
    const typed = [...this.#typed];
    this.#typed.clear();
    for (const document of typed) {
      if (document.isClosed) continue;
      this.#found.set(document.uri.toString(), this.readDocument(document));
      this.#changes.fire(document.uri);
    }
  }
}
