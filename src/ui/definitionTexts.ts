import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../base/disposable.ts';
import { Emitter } from '../base/event.ts';
import { Pulse } from '../base/pulse.ts';
import type { Clock } from '../base/time.ts';
import type { Services } from '../model/connections/clients.ts';
import type { DefinitionFormat } from '../domain/definitionFormat.ts';
import { DefinitionText } from '../definition/definitionText.ts';
import { schemes } from '../editor/ids.ts';
import { isTheirs } from './addresses.ts';
import type { DefinitionTargets } from './definitionTargets.ts';

/** How long nothing must be typed, and the cursor must stay, in milliseconds. */
const restMs = 200;

/** True for definitions of services, and for files that end in ".workflow.json". */
function isWritten({ uri, languageId }: vscode.TextDocument): boolean {
  if (uri.scheme === schemes.definition) return !isTheirs(uri);
  if (languageId !== 'json' || !uri.path.endsWith('.workflow.json')) return false;
  // Not what version control and comparisons show.
  return uri.scheme === 'untitled' || vscode.workspace.fs.isWritableFileSystem(uri.scheme) === true;
}

/** What is read of a definition's document. */
export type DefinitionDocument = Pick<vscode.TextDocument, 'getText' | 'uri' | 'version'>;

interface TextsDeps {
  readonly clock: Clock;
  readonly definitionTargets: DefinitionTargets;
  readonly services: Pick<Services, 'traits'>;
}

interface Known {
  readonly version: number;
  /** What it was read as. */
  readonly format: DefinitionFormat | undefined;
  readonly text: DefinitionText;
}

/** The texts of open definitions, each version parsed once, and when somebody has stopped typing in one. */
export class DefinitionTexts implements Disposable {
  readonly #deps: TextsDeps;
  readonly #owned = new DisposableStore();
  readonly #known = new WeakMap<DefinitionDocument, Known>();
  readonly #rests = this.#owned.add(new Emitter<vscode.TextDocument>());
  readonly #cursorRests = this.#owned.add(new Emitter<vscode.TextEditor>());
  /** What has changed since the last rest. */
  readonly #changed = new Set<vscode.TextDocument>();
  #moved: vscode.TextEditor | undefined;
  readonly #pulse: Pulse;

  constructor(deps: TextsDeps) {
    this.#deps = deps;
    this.#pulse = this.#owned.add(new Pulse(deps.clock, () => this.#announce(), { first: restMs }));
    const { window, workspace } = vscode;
    const change = (document: vscode.TextDocument): void => {
      if (!isWritten(document)) return;
      this.#changed.add(document);
      this.#pulse.askAtRest();
    };
    const move = (editor: vscode.TextEditor | undefined): void => {
      if (editor === undefined || editor !== window.activeTextEditor || !isWritten(editor.document)) return;
      this.#moved = editor;
      this.#pulse.askAtRest();
    };
    this.#owned.add(workspace.onDidOpenTextDocument(change));
    this.#owned.add(
      workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0) change(document);
      }),
    );
    this.#owned.add(workspace.onDidCloseTextDocument((document) => this.#changed.delete(document)));
    this.#owned.add(
      deps.definitionTargets.onDidChange(() => {
        workspace.textDocuments.filter(({ uri }) => uri.scheme !== schemes.definition).forEach(change);
        move(window.activeTextEditor);
      }),
    );
    this.#owned.add(window.onDidChangeTextEditorSelection(({ textEditor }) => move(textEditor)));
    this.#owned.add(window.onDidChangeActiveTextEditor(move));
  }

  of(document: DefinitionDocument): DefinitionText {
    const { version } = document;
    const known = this.#known.get(document);
    const format = this.#formatOf(document.uri);
    if (known?.version === version && known.format === format) return known.text;
    const text = new DefinitionText(document.getText(), format);
    this.#known.set(document, { version, format, text });
    return text;
  }

  /** Calls back with each definition that is open, and later with each that was opened, changed or linked, once its text has come to rest. */
  onDidRest(listener: (document: vscode.TextDocument) => void): Disposable {
    const listening = this.#rests.event(listener);
    vscode.workspace.textDocuments.filter(isWritten).forEach(listener);
    return listening;
  }

  /** The same for the cursor of the editor in front, if that has a definition. */
  onDidRestCursor(listener: (editor: vscode.TextEditor) => void): Disposable {
    const listening = this.#cursorRests.event(listener);
    const editor = vscode.window.activeTextEditor;
    if (editor !== undefined && isWritten(editor.document)) listener(editor);
    return listening;
  }

  dispose(): void {
    this.#owned.dispose();
  }

  /** undefined: a file that isn't linked is meant for whichever service the user has. */
  #formatOf(uri: vscode.Uri): DefinitionFormat | undefined {
    const { definitionTargets, services } = this.#deps;
    const target = definitionTargets.of(uri);
    return target && services.traits(target.connectionId).definitionFormat;
  }

  #announce(): void {
    const changed = [...this.#changed];
    const moved = this.#moved;
    this.#changed.clear();
    this.#moved = undefined;
    for (const document of changed) this.#rests.fire(document);
    if (moved?.document.isClosed === false) this.#cursorRests.fire(moved);
  }
}
