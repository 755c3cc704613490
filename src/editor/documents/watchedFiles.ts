// Files of the workspace whose names end alike: where they are, and what becomes of them from the time that they're first looked for.
import * as vscode from 'vscode';
import { oneAtATime } from '../../base/async.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import { findFiles } from './workspaceFiles.ts';

export class WatchedFiles implements Disposable {
  readonly #ending: string;
  readonly #owned = new DisposableStore();
  readonly #creations = this.#owned.add(new Emitter<vscode.Uri>());
  readonly onDidCreate = this.#creations.event;
  readonly #changes = this.#owned.add(new Emitter<vscode.Uri>());
  readonly onDidChange = this.#changes.event;
  readonly #deletions = this.#owned.add(new Emitter<(uri: vscode.Uri) => boolean>());
  /** Fires with what tells which files are gone; again when all is read whose reading began before, since that may have found them. */
  readonly onDidDelete = this.#deletions.event;
  #isWatching = false;
  /** Reads files after all others that were to be read until now, so that what is read later is newer. */
  readonly inTurn = oneAtATime();

  constructor(ending: string) {
    this.#ending = ending;
  }

  /** Finds those of all folders of the workspace, at most 500 of each. */
  async find(): Promise<readonly vscode.Uri[]> {
    const folders = vscode.workspace.workspaceFolders ?? [];
    // Of a file that is created meanwhile, only the watcher may know.
    this.#watch();
    const created: vscode.Uri[] = [];
    const listening = this.onDidCreate((uri) => created.push(uri));
    try {
      const found = await Promise.all(folders.map((folder) => findFiles(folder, this.#ending)));
      return [...new Map([...found.flat(), ...created].map((uri) => [uri.toString(), uri])).values()];
    } finally {
      listening.dispose();
    }
  }

  dispose(): void {
    this.#owned.dispose();
  }

  #watch(): void {
    if (this.#isWatching) return;
    this.#isWatching = true;
    const watcher = this.#owned.add(vscode.workspace.createFileSystemWatcher(`**/*${this.#ending}`));
    this.#owned.add(watcher.onDidCreate((uri) => this.#creations.fire(uri)));
    this.#owned.add(watcher.onDidChange((uri) => this.#changes.fire(uri)));
    // A folder that is deleted takes its files along, and only its own end is told.
    const folders = this.#owned.add(vscode.workspace.createFileSystemWatcher('**', true, true));
    this.#owned.add(
      folders.onDidDelete(({ path }) => {
        const isGone = (uri: vscode.Uri): boolean => uri.path === path || uri.path.startsWith(`${path}/`);
        this.#deletions.fire(isGone);
        void this.inTurn(() => {
          this.#deletions.fire(isGone);
          return Promise.resolve();
        });
      }),
    );
  }
}
