// Letters and colours of linked files, wherever the editor draws their names.
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { plainLine } from '../../base/format.ts';
import type { LinkedStates } from './linkedStates.ts';
import { describeState, shownState, stateLooks } from './stateWords.ts';

export class FileDecorations implements vscode.FileDecorationProvider, Disposable {
  readonly #states: LinkedStates;
  readonly #owned = new DisposableStore();
  readonly #changes = this.#owned.add(new vscode.EventEmitter<vscode.Uri[]>());
  readonly onDidChangeFileDecorations = this.#changes.event;

  constructor(states: LinkedStates) {
    this.#states = states;
    this.#owned.add(
      states.onDidChangeFiles((uris) => {
        if (uris.length > 0) this.#changes.fire([...uris]);
      }),
    );
    this.#owned.add(vscode.window.registerFileDecorationProvider(this));
  }

  provideFileDecoration(uri: vscode.Uri): vscode.FileDecoration | undefined {
    const found = this.#states.find(uri);
    const state = found && shownState(found.file);
    if (found === undefined || state === undefined) return undefined;
    const { letter, color } = stateLooks[state];
    const tooltip = describeState(found.file, plainLine(found.folder.folder.environment ?? '', 80));
    const decoration = new vscode.FileDecoration(letter, tooltip, new vscode.ThemeColor(color));
    decoration.propagate = true;
    return decoration;
  }

  dispose(): void {
    this.#owned.dispose();
  }
}
