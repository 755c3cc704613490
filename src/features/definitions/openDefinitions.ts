// What each definition shows and what its document rests on; these are two things while somebody types.
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
  /** What the file system shows; stands still while the document has unsaved edits. */
  shown: ShownDefinition;
  /** What the document showed when it last had no unsaved edits. */
  base: ShownDefinition | undefined;
  /** What a person has seen in a conflict and decided about. */
  agreed: JsonObject | undefined;
  /** Read for a stat: the next read need not ask the service again. */
  isUnread: boolean;
  /** The save is one that the editor makes while somebody types: the text must not change under their hands. */
  isTyping: boolean;
  /** The base is remembered beyond a restart of the editor. */
  isRemembered: boolean;
  /** The service has no such workflow any more. */
  isGone: boolean;
}

/** The definitions that were looked at in this window, by address. Announces files whose text changed on the service, and those that are gone from it. */
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

  /** Every file that is known. */
  get all(): readonly { readonly uri: vscode.Uri; readonly shown: ShownDefinition }[] {
    return [...this.#entries.values()];
  }

  shown(uri: vscode.Uri): ShownDefinition | undefined {
    return this.#entries.get(uri.toString())?.shown;
  }

  isGone(uri: vscode.Uri): boolean {
    return this.#entries.get(uri.toString())?.isGone === true;
  }

  /** The workflow was deleted: its file is gone, while an open document keeps its text. */
  markGone(uri: vscode.Uri): void {
    const entry = this.#entries.get(uri.toString());
    if (entry?.isGone === true) return;
    if (entry !== undefined) entry.isGone = true;
    this.#changes.fire([{ type: vscode.FileChangeType.Deleted, uri }]);
  }

  /** The state to read without asking the service: that of an open document, or one just read; the latter only once. */
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

  /** Takes what the service holds now, unless the document has unsaved edits. */
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

  /** What the writer of this file has seen; none when nothing is known of it. */
  base(uri: vscode.Uri): JsonObject | undefined {
    const entry = this.#entries.get(uri.toString());
    return (findDocument(uri) === undefined ? entry?.shown : entry?.base)?.definition;
  }

  agreed(uri: vscode.Uri): JsonObject | undefined {
    return this.#entries.get(uri.toString())?.agreed;
  }

  /** A person has seen this side of a conflict and decided to go on. */
  agree(uri: vscode.Uri, theirs: JsonObject): void {
    const entry = this.#entries.get(uri.toString());
    if (entry !== undefined) entry.agreed = theirs;
  }

  /** The text was saved, and this is what the service made of it. */
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

  /** A document that was open before, as after a restart, goes on from what it rested on. */
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

  /** The editor is done with the save; where the service keeps something else than the text says, the text follows now. */
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
      // What was shown since does not count: these edits began on the base.
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
