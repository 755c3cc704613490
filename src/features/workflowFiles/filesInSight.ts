import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';

/**
 * Tells which linked files are in sight: the editor asks for the decoration of a name only when it draws it. This provider gives none, so
 * that asking again changes nothing on the screen.
 */
export class FilesInSight implements vscode.FileDecorationProvider, Disposable {
  readonly #owned = new DisposableStore();
  readonly #asking = this.#owned.add(new vscode.EventEmitter<undefined>());
  readonly #seen = this.#owned.add(new Emitter<vscode.Uri>());
  readonly onDidChangeFileDecorations = this.#asking.event;
  /** Fires with each file that is drawn, linked or not. */
  readonly onDidSee = this.#seen.event;

  constructor() {
    this.#owned.add(vscode.window.registerFileDecorationProvider(this));
  }

  /** Makes the editor ask again for all that it draws. */
  look(): void {
    this.#asking.fire(undefined);
  }

  provideFileDecoration(uri: vscode.Uri): undefined {
    this.#seen.fire(uri);
  }

  dispose(): void {
    this.#owned.dispose();
  }
}
