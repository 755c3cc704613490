// The linked folders of the window with the states of their files, and when the services are asked for them: only while a file is in sight.
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import { Pulse } from '../../base/pulse.ts';
import { pathWithin } from '../../editor/documents/workspaceFiles.ts';
import type { App } from '../../ui/app.ts';
import type { ComparedFile } from '../../workflowFiles/compareFolder.ts';
import { workflowFileEnding } from '../../workflowFiles/fileNames.ts';
import type { FileState } from '../../workflowFiles/states.ts';
import { workflowsFileName } from '../../workflowFiles/workflowsFile.ts';
import { shownState } from './stateWords.ts';
import { FilesInSight } from './filesInSight.ts';
import { SightPulse } from './sightPulse.ts';
import { FolderStates, type FolderStatesDeps } from './folderStates.ts';

/** After a change on the disk, since several come at once. */
const restMs = 200;

interface FoundFile {
  readonly folder: FolderStates;
  readonly file: ComparedFile;
}

export class LinkedStates implements Disposable {
  readonly #deps: FolderStatesDeps & Pick<App, 'linkedFiles'>;
  readonly #owned = new DisposableStore();
  readonly #folderChanges = this.#owned.add(new Emitter<void>());
  readonly #fileChanges = this.#owned.add(new Emitter<readonly vscode.Uri[]>());
  /** Fires when folders came or went. */
  readonly onDidChangeFolders = this.#folderChanges.event;
  /** Fires when files were compared again, with those that stand otherwise than before. */
  readonly onDidChangeFiles = this.#fileChanges.event;
  readonly #folders = new Map<string, FolderStates>();
  /** The states that were last announced, by file. */
  readonly #shown = new Map<FolderStates, ReadonlyMap<string, FileState>>();
  readonly #inSight = this.#owned.add(new FilesInSight());
  /** What was written to since it was last compared. */
  readonly #changed = new Set<FolderStates>();
  readonly #sight: SightPulse;
  readonly #comparing: Pulse;

  constructor(deps: FolderStatesDeps & Pick<App, 'linkedFiles'>) {
    this.#deps = deps;
    this.#sight = this.#owned.add(new SightPulse(deps.clock, () => this.#look()));
    this.#comparing = this.#owned.add(new Pulse(deps.clock, () => this.#compareAgain(), { first: restMs }));
    this.#owned.add(deps.linkedFiles.onDidChange(() => this.#follow()));
    this.#owned.add(this.#inSight.onDidSee((uri) => this.#see(uri)));
    this.#owned.add(vscode.window.onDidChangeWindowState(() => this.#attend()));
    this.#owned.add(vscode.workspace.onDidSaveTextDocument(({ uri }) => this.#noteChange(uri)));
    const watcher = this.#owned.add(vscode.workspace.createFileSystemWatcher(`**/*${workflowFileEnding}`));
    for (const onDidHappen of [watcher.onDidChange, watcher.onDidCreate, watcher.onDidDelete])
      this.#owned.add(onDidHappen((uri) => this.#noteChange(uri)));
    this.#follow();
  }

  get folders(): readonly FolderStates[] {
    return [...this.#folders.values()];
  }

  /** The innermost folder that a file is in, or that this is. */
  folderOf(uri: vscode.Uri): FolderStates | undefined {
    return this.folders
      .filter(({ folder }) => pathWithin(folder.uri, uri) !== undefined)
      .sort((one, other) => other.folder.uri.path.length - one.folder.uri.path.length)[0];
  }

  find(uri: vscode.Uri): FoundFile | undefined {
    const folder = this.folderOf(uri);
    const file = folder?.find(uri);
    return folder && file && { folder, file };
  }

  dispose(): void {
    this.#owned.dispose();
    for (const states of this.#folders.values()) states.dispose();
    this.#folders.clear();
  }

  #follow(): void {
    const folders = new Map(this.#deps.linkedFiles.folders.map((folder) => [folder.uri.toString(), folder]));
    const gone = [...this.#folders].filter(([key]) => !folders.has(key));
    for (const [key, states] of gone) {
      states.dispose();
      this.#folders.delete(key);
      this.#announce(states);
    }
    let isNew = false;
    for (const [key, folder] of folders) {
      const known = this.#folders.get(key);
      if (known !== undefined) known.replace(folder);
      else {
        isNew = true;
        const states = new FolderStates(this.#deps, folder);
        states.onDidChange(() => this.#announce(states));
        this.#folders.set(key, states);
      }
    }
    if (isNew || gone.length > 0) this.#folderChanges.fire();
    if (isNew) this.#attend();
  }

  #announce(states: FolderStates): void {
    const before = this.#shown.get(states) ?? new Map<string, FileState>();
    const isHere = this.#folders.get(states.folder.uri.toString()) === states;
    const now = new Map(
      (isHere ? states.files : []).map((file) => [file.file, shownState(file) ?? file.state]),
    );
    if (isHere) this.#shown.set(states, now);
    else this.#shown.delete(states);
    const files = [...new Set([...before.keys(), ...now.keys()])];
    this.#fileChanges.fire(
      files.filter((file) => before.get(file) !== now.get(file)).map((file) => states.uriOf(file)),
    );
  }

  #attend(): void {
    this.#sight.watch(this.#folders.size > 0 && vscode.window.state.focused);
  }

  #look(): void {
    this.#inSight.look();
    for (const { document } of vscode.window.visibleTextEditors) this.#see(document.uri);
  }

  #see(uri: vscode.Uri): void {
    const states = this.folderOf(uri);
    if (states?.folder.connectionId === undefined || !isOfFolder(states, uri)) return;
    // What fails is said where it's asked for.
    if (this.#sight.isDue(states.askedAt)) void states.list('workflows').catch(() => undefined);
  }

  #noteChange(uri: vscode.Uri): void {
    const states = this.folderOf(uri);
    if (states === undefined || !uri.path.endsWith(workflowFileEnding)) return;
    this.#changed.add(states);
    this.#comparing.askAtRest();
  }

  #compareAgain(): void {
    const changed = [...this.#changed];
    this.#changed.clear();
    for (const states of changed) void states.compareAgain();
  }
}

/** A workflow's file, or workflows.json. */
function isOfFolder({ folder }: FolderStates, uri: vscode.Uri): boolean {
  return uri.path.endsWith(workflowFileEnding) || pathWithin(folder.uri, uri) === workflowsFileName;
}
