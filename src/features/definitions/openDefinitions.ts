// What each definition shows, and the base that unsaved edits started from. They can differ while the user is typing.
import * as vscode from 'vscode';
import type { JsonObject } from '../../base/json.ts';
import type { Logger } from '../../base/logger.ts';
import type { DefinitionSnapshot } from '../../model/definitions/definitionStore.ts';
import {
  type RememberedBases,
  showAsKept,
  showDefinition,
  type ShownDefinition,
} from '../../model/definitions/shownDefinition.ts';
import { findDocument } from '../../editor/documents.ts';

interface Entry {
  readonly uri: vscode.Uri;
  /** The content of the file. It doesn't change while the document has unsaved edits. */
  shown: ShownDefinition;
  /** The content when the document last had no unsaved edits. */
  base: ShownDefinition | undefined;
  /** The service's side of a conflict that the user has seen and decided about. */
  agreed: JsonObject | undefined;
  /** Read for a stat, so that the next read doesn't need a request. */
  isUnread: boolean;
  /** True during an auto save, when the user may be typing: the text mustn't change then. */
  isTyping: boolean;
  /** The base is stored, so that it survives a restart of the editor. */
  isRemembered: boolean;
  /** The workflow doesn't exist on the service. */
  isGone: boolean;
}

/** The definitions that were read in this window, by URI. Announces files whose text changed on the service, and files whose workflow was deleted. */
export class OpenDefinitions implements vscode.Disposable {
  readonly #bases: RememberedBases;
  readonly #logger: Logger;
  readonly #entries = new Map<string, Entry>();
  readonly #changes = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly #subscriptions: readonly vscode.Disposable[];
  readonly onDidChangeFile = this.#changes.event;

  constructor(bases: RememberedBases, logger: Logger) {
    this.#bases = bases;
    this.#logger = logger;
    this.#subscriptions = [
      vscode.workspace.onDidOpenTextDocument((document) => this.#observe(document)),
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.#observe(document)),
      vscode.workspace.onWillSaveTextDocument(({ document, reason }) => {
        const entry = this.#entries.get(document.uri.toString());
        if (entry) entry.isTyping = reason === vscode.TextDocumentSaveReason.AfterDelay;
      }),
      vscode.workspace.onDidSaveTextDocument(({ uri }) => this.#showAsKept(uri)),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.forget(uri)),
    ];
  }

  get all(): readonly { readonly uri: vscode.Uri; readonly shown: ShownDefinition }[] {
    return [...this.#entries.values()];
  }

  shown(uri: vscode.Uri): ShownDefinition | undefined {
    return this.#entries.get(uri.toString())?.shown;
  }

  isGone(uri: vscode.Uri): boolean {
    return this.#entries.get(uri.toString())?.isGone === true;
  }

  /** Announces that the file is deleted. An open document keeps its text. */
  markGone(uri: vscode.Uri): void {
    const entry = this.#entries.get(uri.toString());
    if (entry?.isGone === true) return;
    if (entry !== undefined) entry.isGone = true;
    this.#changes.fire([{ type: vscode.FileChangeType.Deleted, uri }]);
  }

  /** The content that can be read without a request: that of an open document, or one that was just read. The latter is returned only once. */
  takeReadable(uri: vscode.Uri): ShownDefinition | undefined {
    const entry = this.#entries.get(uri.toString());
    if (entry === undefined || !(entry.isUnread || findDocument(uri))) return undefined;
    entry.isUnread = false;
    return entry.shown;
  }

  forget(uri: vscode.Uri): void {
    const entry = this.#entries.get(uri.toString());
    if (entry === undefined) return;
    this.#entries.delete(uri.toString());
    this.#remember(entry, false);
  }

  /** Takes over the definition from the service, unless the document has unsaved edits. */
  receive(uri: vscode.Uri, snapshot: DefinitionSnapshot): ShownDefinition {
    const entry = this.#entries.get(uri.toString());
    if (entry === undefined) return this.#begin(uri, snapshot).shown;
    this.#isBack(entry);
    if (findDocument(uri)?.isDirty !== true) {
      this.#show(entry, showDefinition(entry.shown, snapshot, Date.now()));
      entry.isUnread = true;
    }
    return entry.shown;
  }

  /** The definition that the document was last based on, or that the file shows if no document is open; undefined if neither is known. */
  base(uri: vscode.Uri): JsonObject | undefined {
    const entry = this.#entries.get(uri.toString());
    return (findDocument(uri) === undefined ? entry?.shown : entry?.base)?.definition;
  }

  agreed(uri: vscode.Uri): JsonObject | undefined {
    return this.#entries.get(uri.toString())?.agreed;
  }

  /** Records that the user has seen this side of a conflict and decided to continue. */
  agree(uri: vscode.Uri, theirs: JsonObject): void {
    const entry = this.#entries.get(uri.toString());
    if (entry !== undefined) entry.agreed = theirs;
  }

  /** Records that the text was saved. now: what the service returned for it. */
  acceptSaved(uri: vscode.Uri, text: string, now: DefinitionSnapshot): void {
    const entry = this.#entries.get(uri.toString()) ?? this.#begin(uri, now);
    this.#isBack(entry);
    entry.shown = showDefinition(entry.shown, now, Date.now(), text);
    entry.base = entry.shown;
    entry.agreed = undefined;
    this.#remember(entry, false);
    if (findDocument(uri) === undefined) this.#showAsKept(uri);
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
    this.#changes.dispose();
    this.#entries.clear();
  }

  /** Restores the stored base if the document already has unsaved edits, as after a restart. */
  #begin(uri: vscode.Uri, snapshot: DefinitionSnapshot): Entry {
    const document = findDocument(uri);
    const base = document?.isDirty === true ? this.#bases.read(uri.toString()) : undefined;
    const shown = base ?? showDefinition(undefined, snapshot, Date.now());
    const isRemembered = base !== undefined;
    const entry: Entry = {
      uri,
      shown,
      base,
      agreed: undefined,
      isUnread: true,
      isTyping: false,
      isRemembered,
      isGone: false,
    };
    this.#entries.set(uri.toString(), entry);
    if (document) this.#observe(document);
    return entry;
  }

  #isBack(entry: Entry): void {
    if (!entry.isGone) return;
    entry.isGone = false;
    this.#changes.fire([{ type: vscode.FileChangeType.Created, uri: entry.uri }]);
  }

  #show(entry: Entry, shown: ShownDefinition): void {
    const { shown: earlier, base } = entry;
    entry.shown = shown;
    if (shown.text !== earlier.text)
      this.#changes.fire([{ type: vscode.FileChangeType.Changed, uri: entry.uri }]);
    else if (base === earlier) entry.base = shown;
  }

  /** Called after a save. If the service keeps something else than the text says, the text changes to that. */
  #showAsKept(uri: vscode.Uri): void {
    const entry = this.#entries.get(uri.toString());
    if (entry === undefined || entry.isTyping || findDocument(uri)?.isDirty === true) return;
    this.#show(entry, showAsKept(entry.shown));
  }

  #observe(document: vscode.TextDocument): void {
    const entry = this.#entries.get(document.uri.toString());
    if (entry === undefined) return;
    if (!document.isDirty) {
      if (document.getText() === entry.shown.text) entry.base = entry.shown;
      this.#remember(entry, false);
    } else if (entry.base !== undefined) {
      // Ignores later content, because the edits started from the base.
      entry.shown = entry.base;
      this.#remember(entry, true);
    }
  }

  #remember(entry: Entry, isWanted: boolean): void {
    if (entry.isRemembered === isWanted) return;
    entry.isRemembered = isWanted;
    this.#bases
      .set(entry.uri.toString(), isWanted ? entry.base : undefined)
      .catch((error: unknown) =>
        this.#logger.error('What an edited definition rests on could not be remembered.', error),
      );
  }
}
