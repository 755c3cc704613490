// The files of the definitions that were read in this window, by URI.
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../../base/disposable.ts';
import type { App } from '../../../ui/app.ts';
import type { JsonObject } from '../../../base/json.ts';
import { findDocument } from '../../../editor/documents.ts';
import {
  baseOf,
  type FileState,
  give,
  observe,
  receive,
  type RememberedBases,
  replace,
  save,
  showAsKept,
  showDefinition,
  type ShownDefinition,
} from './definitionFile.ts';
import type { DefinitionSnapshot } from './definitionStore.ts';
import { definitionTarget } from '../../../ui/addresses.ts';
import type { SavedTexts } from './savedTexts.ts';

interface Entry {
  readonly uri: vscode.Uri;
  state: FileState;
  /** The workflow doesn't exist on the service. */
  isGone: boolean;
  /** Whether what the document rests on is stored. */
  isRemembered: boolean;
}

/** Announces files whose text changed on the service, and files whose workflow was deleted. */
export class OpenDefinitions implements Disposable {
  readonly #bases: RememberedBases;
  readonly #texts: SavedTexts;
  readonly #deps: Pick<App, 'clock' | 'logger'>;
  readonly #entries = new Map<string, Entry>();
  /** The documents whose latest save was an auto save: the user may be typing, so their text mustn't change. */
  readonly #autoSaved = new WeakSet<vscode.TextDocument>();
  readonly #owned = new DisposableStore();
  readonly #changes = this.#owned.add(new vscode.EventEmitter<vscode.FileChangeEvent[]>());
  readonly onDidChangeFile = this.#changes.event;

  constructor(bases: RememberedBases, texts: SavedTexts, deps: Pick<App, 'clock' | 'logger'>) {
    this.#bases = bases;
    this.#texts = texts;
    this.#deps = deps;
    this.#owned.add(vscode.workspace.onDidOpenTextDocument((document) => this.#observe(document)));
    this.#owned.add(vscode.workspace.onDidChangeTextDocument(({ document }) => this.#observe(document)));
    this.#owned.add(
      vscode.workspace.onWillSaveTextDocument(({ document, reason }) => {
        if (reason === vscode.TextDocumentSaveReason.AfterDelay) this.#autoSaved.add(document);
        else this.#autoSaved.delete(document);
      }),
    );
    this.#owned.add(vscode.workspace.onDidSaveTextDocument((document) => this.#showAsKept(document)));
    this.#owned.add(vscode.workspace.onDidCloseTextDocument(({ uri }) => this.forget(uri)));
  }

  get uris(): readonly vscode.Uri[] {
    return [...this.#entries.values()].map(({ uri }) => uri);
  }

  shown(uri: vscode.Uri): ShownDefinition | undefined {
    return this.#find(uri)?.state.shown;
  }

  isGone(uri: vscode.Uri): boolean {
    return this.#find(uri)?.isGone === true;
  }

  /** Announces that the file is deleted. An open document keeps its text. */
  markGone(uri: vscode.Uri): void {
    const entry = this.#find(uri);
    if (entry?.isGone === true) return;
    if (entry !== undefined) entry.isGone = true;
    this.#announce(uri, vscode.FileChangeType.Deleted);
  }

  /** The content that can be read without a request: that of an open document, or one that was just read. The latter is returned only once. */
  takeReadable(uri: vscode.Uri): ShownDefinition | undefined {
    const entry = this.#find(uri);
    if (entry === undefined || !(entry.state.kind === 'fresh' || findDocument(uri))) return undefined;
    this.#apply(entry, give(entry.state));
    return entry.state.shown;
  }

  forget(uri: vscode.Uri): void {
    const entry = this.#find(uri);
    if (entry === undefined) return;
    this.#entries.delete(uri.toString());
    if (entry.isRemembered) void this.#remember(uri, undefined);
  }

  /**
   * Takes over the definition from the service, unless the document has unsaved edits. `like`: the text whose format it gets; default: what
   * the file shows, or what was last saved of the workflow.
   */
  receive(uri: vscode.Uri, snapshot: DefinitionSnapshot, like?: string): ShownDefinition {
    const entry = this.#find(uri);
    if (entry === undefined) return this.#begin(uri, snapshot, like).state.shown;
    this.#bringBack(entry);
    if (findDocument(uri)?.isDirty !== true) {
      const { shown } = entry.state;
      const next = showDefinition(shown, snapshot, this.#deps.clock.now(), { like: like ?? shown.text });
      this.#show(entry, receive(entry.state, next));
    }
    return entry.state.shown;
  }

  /** Takes over what is being read, unless a save in the meantime has read something newer. */
  async receiveFrom(uri: vscode.Uri, reading: Promise<DefinitionSnapshot>): Promise<DefinitionSnapshot> {
    const before = this.shown(uri);
    const snapshot = await reading;
    if (this.shown(uri) === before) this.receive(uri, snapshot);
    return snapshot;
  }

  /** The definition that the document was last based on, or that the file shows if no document is open; undefined if neither is known. */
  base(uri: vscode.Uri): JsonObject | undefined {
    const state = this.#find(uri)?.state;
    return (findDocument(uri) === undefined ? state?.shown : state && baseOf(state))?.definition;
  }

  /** The document's text may change after the save under way, since the user has decided to save something else. */
  expectOtherText(document: vscode.TextDocument): void {
    this.#autoSaved.delete(document);
  }

  /** Records that the text was saved. now: what the service returned for it. Resolves once it's known beyond a restart. */
  async acceptSaved(uri: vscode.Uri, text: string, now: DefinitionSnapshot): Promise<void> {
    const entry = this.#find(uri) ?? this.#begin(uri, now);
    this.#bringBack(entry);
    const isOpen = findDocument(uri) !== undefined;
    const shown = showDefinition(entry.state.shown, now, this.#deps.clock.now(), { text });
    this.#apply(entry, save(entry.state, shown, isOpen));
    if (!isOpen) this.#show(entry, replace(entry.state, showAsKept(shown)));
    await Promise.all([this.#keepText(uri, text), isOpen && this.#remember(uri, entry.state.shown)]);
  }

  dispose(): void {
    this.#owned.dispose();
    this.#entries.clear();
  }

  #find(uri: vscode.Uri): Entry | undefined {
    return this.#entries.get(uri.toString());
  }

  /** Restores the stored base if the document already has unsaved edits, as after a restart. */
  #begin(uri: vscode.Uri, snapshot: DefinitionSnapshot, like = this.#savedText(uri)): Entry {
    const document = findDocument(uri);
    const base = document?.isDirty === true ? this.#bases.read(uri.toString()) : undefined;
    const state: FileState = base
      ? { kind: 'edited', shown: base }
      : { kind: 'fresh', shown: showDefinition(undefined, snapshot, this.#deps.clock.now(), { like }) };
    const entry: Entry = { uri, state, isGone: false, isRemembered: base !== undefined };
    this.#entries.set(uri.toString(), entry);
    if (document) this.#observe(document);
    return entry;
  }

  #savedText(uri: vscode.Uri): string | undefined {
    const target = definitionTarget(uri);
    return target && this.#texts.read(target);
  }

  async #keepText(uri: vscode.Uri, text: string): Promise<void> {
    const target = definitionTarget(uri);
    if (target === undefined) return;
    await this.#texts
      .keep(target, text)
      .catch((error: unknown) =>
        this.#deps.logger.error('The format of a saved definition could not be remembered.', error),
      );
  }

  #bringBack(entry: Entry): void {
    if (!entry.isGone) return;
    entry.isGone = false;
    this.#announce(entry.uri, vscode.FileChangeType.Created);
  }

  #observe(document: vscode.TextDocument): void {
    const entry = this.#find(document.uri);
    if (entry) this.#apply(entry, observe(entry.state, document));
  }

  /** After a save: if the service keeps something else than the text says, the text changes to that. */
  #showAsKept(document: vscode.TextDocument): void {
    const entry = this.#find(document.uri);
    if (entry === undefined || this.#autoSaved.has(document) || document.isDirty) return;
    this.#show(entry, replace(entry.state, showAsKept(entry.state.shown)));
  }

  #show(entry: Entry, next: FileState): void {
    const { text } = entry.state.shown;
    this.#apply(entry, next);
    if (next.shown.text !== text) this.#announce(entry.uri, vscode.FileChangeType.Changed);
  }

  /** The base of unsaved edits is stored, so that it survives a restart of the editor. */
  #apply(entry: Entry, next: FileState): void {
    const isNew =
      next.kind === 'edited' && (entry.state.kind !== 'edited' || entry.state.shown !== next.shown);
    entry.state = next;
    if (isNew) void this.#remember(entry.uri, next.shown);
  }

  async #remember(uri: vscode.Uri, base: ShownDefinition | undefined): Promise<void> {
    const entry = this.#find(uri);
    if (entry !== undefined) entry.isRemembered = base !== undefined;
    await this.#bases
      .set(uri.toString(), base)
      .catch((error: unknown) =>
        this.#deps.logger.error('What an edited definition rests on could not be remembered.', error),
      );
  }

  #announce(uri: vscode.Uri, type: vscode.FileChangeType): void {
    this.#changes.fire([{ type, uri }]);
  }
}
