// The files of the definitions that were read in this window, by URI.
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../../base/disposable.ts';
import type { App } from '../../../ui/app.ts';
import type { JsonObject } from '../../../base/json.ts';
import { findDocument } from '../../../editor/documents/documents.ts';
import {
  baseOf,
  type FileState,
  give,
  observe,
  receiveContent,
  replace,
  save,
  showAsKept,
  showDefinition,
  showLike,
  type FileContent,
} from './definitionFile.ts';
import type { DefinitionSnapshot } from '../../../model/workflows/definitionStore.ts';
import type { WorkflowTarget } from '../../../domain/targets.ts';
import { serviceTarget } from '../../../ui/addresses.ts';
import type { RememberedBases } from './rememberedBases.ts';
import type { SavedTexts } from './savedTexts.ts';

type OpenDeps = Pick<App, 'clock' | 'definitionTexts' | 'logger'>;

/** Reads a definition into its document. */
export type ReadDefinition = (
  target: WorkflowTarget,
) => Promise<{ readonly uri: vscode.Uri; readonly snapshot: DefinitionSnapshot }>;

interface Entry {
  readonly uri: vscode.Uri;
  state: FileState;
  /** The workflow doesn't exist on the service. */
  isGone: boolean;
}

/** Announces files whose text changed on the service, and files whose workflow was deleted. */
export class OpenDefinitions implements Disposable {
  readonly #bases: RememberedBases;
  readonly #texts: SavedTexts;
  readonly #deps: OpenDeps;
  readonly #entries = new Map<string, Entry>();
  /** The documents whose latest save was an auto save: the user may be typing, so their text mustn't change. */
  readonly #autoSaved = new WeakSet<vscode.TextDocument>();
  /** The restored documents whose base was looked for. */
  readonly #restored = new WeakSet<vscode.TextDocument>();
  readonly #owned = new DisposableStore();
  readonly #changes = this.#owned.add(new vscode.EventEmitter<vscode.FileChangeEvent[]>());
  readonly onDidChangeFile = this.#changes.event;

  constructor(bases: RememberedBases, texts: SavedTexts, deps: OpenDeps) {
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
    // Before anything is typed into them.
    vscode.workspace.textDocuments.forEach((document) => this.#observe(document));
    this.#owned.add(deps.definitionTexts.onDidRest((document) => void this.#rememberEdited(document)));
  }

  get uris(): readonly vscode.Uri[] {
    return [...this.#entries.values()].map(({ uri }) => uri);
  }

  shown(uri: vscode.Uri): FileContent | undefined {
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
  takeReadable(uri: vscode.Uri): FileContent | undefined {
    const entry = this.#find(uri);
    if (entry === undefined || !(entry.state.kind === 'fresh' || findDocument(uri))) return undefined;
    entry.state = give(entry.state);
    return entry.state.shown;
  }

  /** The text of a definition that isn't open: in the format that was last saved of the workflow. */
  render(target: WorkflowTarget, definition: JsonObject): string {
    return showLike(this.#texts.read(target), definition);
  }

  forget(uri: vscode.Uri): void {
    const entry = this.#find(uri);
    if (entry === undefined) return;
    this.#entries.delete(uri.toString());
    void this.#remember(this.#bases.forget(uri.toString()));
  }

  /**
   * Takes over the definition from the service, unless the document has unsaved edits. `like`: the text whose format it gets; default: what
   * the file shows, or what was last saved of the workflow.
   */
  receive(uri: vscode.Uri, snapshot: DefinitionSnapshot, like?: string): FileContent {
    const entry = this.#find(uri);
    if (entry === undefined) return this.#begin(uri, snapshot, like).state.shown;
    this.#bringBack(entry);
    if (findDocument(uri)?.isDirty !== true) {
      const { shown } = entry.state;
      const next = showDefinition(shown, snapshot, this.#deps.clock.now(), { like });
      this.#show(entry, receiveContent(entry.state, next));
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
    const document = findDocument(uri);
    const shown = showDefinition(entry.state.shown, now, this.#deps.clock.now(), { text });
    entry.state = save(entry.state, shown, document !== undefined);
    if (document === undefined) this.#show(entry, replace(entry.state, showAsKept(shown)));
    await Promise.all([
      this.#keepText(uri, text),
      // What was typed since rests on it as well.
      document && this.#remember(this.#bases.keep(uri.toString(), shown, document.getText(), text)),
    ]);
  }

  dispose(): void {
    this.#owned.dispose();
    this.#entries.clear();
  }

  #find(uri: vscode.Uri): Entry | undefined {
    return this.#entries.get(uri.toString());
  }

  #begin(uri: vscode.Uri, snapshot: DefinitionSnapshot, like = this.#savedText(uri)): Entry {
    const shown = showDefinition(undefined, snapshot, this.#deps.clock.now(), { like });
    const entry = this.#enter(uri, { kind: 'fresh', shown });
    const document = findDocument(uri);
    if (document) this.#observe(document);
    return entry;
  }

  #enter(uri: vscode.Uri, state: FileState): Entry {
    const entry: Entry = { uri, state, isGone: false };
    this.#entries.set(uri.toString(), entry);
    return entry;
  }

  #savedText(uri: vscode.Uri): string | undefined {
    const target = serviceTarget(uri);
    return target && this.#texts.read(target);
  }

  async #keepText(uri: vscode.Uri, text: string): Promise<void> {
    const target = serviceTarget(uri);
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

  /** A document that has unsaved edits when it's first seen was restored by the editor. The file may have been read before. */
  #observe(document: vscode.TextDocument): void {
    const entry = this.#find(document.uri);
    const isKnown = entry !== undefined && baseOf(entry.state) !== undefined;
    const base = isKnown || !document.isDirty ? undefined : this.#findBase(document);
    const restored: FileState | undefined = base && { kind: 'edited', shown: base };
    if (entry) entry.state = restored ?? observe(entry.state, document);
    else if (restored) this.#enter(document.uri, restored);
  }

  /** Looks only once: what is typed later isn't stored without a base. */
  #findBase(document: vscode.TextDocument): FileContent | undefined {
    if (serviceTarget(document.uri) === undefined || this.#restored.has(document)) return undefined;
    this.#restored.add(document);
    return this.#bases.find(document.uri.toString(), document.getText());
  }

  /** After a save: if the service keeps something else than the text says, the text changes to that. */
  #showAsKept(document: vscode.TextDocument): void {
    const entry = this.#find(document.uri);
    if (entry === undefined || this.#autoSaved.has(document) || document.isDirty) return;
    this.#show(entry, replace(entry.state, showAsKept(entry.state.shown)));
  }

  #show(entry: Entry, next: FileState): void {
    const { text } = entry.state.shown;
    entry.state = next;
    if (next.shown.text !== text) this.#announce(entry.uri, vscode.FileChangeType.Changed);
  }

  /** The base of unsaved edits is stored with each text that they come to rest at, so that it survives a restart of the editor. */
  async #rememberEdited(document: vscode.TextDocument): Promise<void> {
    const { uri, isDirty } = document;
    const state = this.#find(uri)?.state;
    const base = state && baseOf(state);
    if (isDirty && base) await this.#remember(this.#bases.keep(uri.toString(), base, document.getText()));
  }

  async #remember(storing: Promise<void>): Promise<void> {
    await storing.catch((error: unknown) =>
      this.#deps.logger.error('What an edited definition rests on could not be remembered.', error),
    );
  }

  #announce(uri: vscode.Uri, type: vscode.FileChangeType): void {
    this.#changes.fire([{ type, uri }]);
  }
}
