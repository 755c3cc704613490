// Why: what each definition shows and what its document rests on; these are two things while somebody types.
import * as vscode from 'vscode';
import { equalJson } from '../../base/json.ts';
import type { JsonObject } from '../../base/json.ts';
import type { DefinitionSnapshot } from '../../model/definitions/definitionStore.ts';
import { parseDefinition, renderDefinition } from '../../model/definitions/definitionText.ts';
import { findDocument } from './definitionAddress.ts';

/** A state of the file: the bytes that are shown, and the reading that they stand for. mtime: epoch milliseconds, moves only with the bytes. */
export interface ShownDefinition {
  readonly snapshot: DefinitionSnapshot;
  readonly bytes: Uint8Array;
  readonly mtime: number;
}

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
}

function toBytes(definition: JsonObject): Uint8Array {
  return new TextEncoder().encode(renderDefinition(definition));
}

/** The next state of a file; the time stands still while the bytes do, and is the same in every window. */
function next(
  earlier: ShownDefinition | undefined,
  snapshot: DefinitionSnapshot,
  bytes: Uint8Array,
): ShownDefinition {
  if (earlier !== undefined && Buffer.compare(earlier.bytes, bytes) === 0) return { ...earlier, snapshot };
  const changedAt = snapshot.workflow.updatedAt?.getTime() ?? Date.now();
  return { snapshot, bytes, mtime: Math.max(changedAt, (earlier?.mtime ?? 0) + 1) };
}

/** The definitions that were looked at in this window, by address. Announces files whose bytes changed on the service. */
export class OpenDefinitions implements vscode.Disposable {
  readonly #entries = new Map<string, Entry>();
  readonly #changes = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly #subscriptions: readonly vscode.Disposable[];
  readonly onDidChangeFile = this.#changes.event;

  constructor() {
    this.#subscriptions = [
      vscode.workspace.onDidOpenTextDocument((document) => {
        this.#observe(document);
      }),
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        this.#observe(document);
      }),
      vscode.workspace.onDidSaveTextDocument(({ uri }) => {
        this.#showAsKept(uri);
      }),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => {
        this.#entries.delete(uri.toString());
      }),
    ];
  }

  /** Every file that is known. */
  get all(): readonly { readonly uri: vscode.Uri; readonly shown: ShownDefinition }[] {
    return [...this.#entries.values()];
  }

  shown(uri: vscode.Uri): ShownDefinition | undefined {
    return this.#entries.get(uri.toString())?.shown;
  }

  /** The state to read without asking the service: that of an open document, or one just read; the latter only once. */
  takeReadable(uri: vscode.Uri): ShownDefinition | undefined {
    const entry = this.#entries.get(uri.toString());
    if (entry === undefined || !(entry.isUnread || findDocument(uri))) return undefined;
    entry.isUnread = false;
    return entry.shown;
  }

  forget(uri: vscode.Uri): void {
    this.#entries.delete(uri.toString());
  }

  /** Takes what the service holds now, unless the document has unsaved edits. */
  receive(uri: vscode.Uri, snapshot: DefinitionSnapshot): ShownDefinition {
    const entry = this.#entries.get(uri.toString());
    if (entry === undefined) {
      const shown = next(undefined, snapshot, toBytes(snapshot.definition));
      this.#entries.set(uri.toString(), { uri, shown, base: undefined, agreed: undefined, isUnread: true });
      return shown;
    }
    if (findDocument(uri)?.isDirty !== true) {
      const isSame = equalJson(entry.shown.snapshot.definition, snapshot.definition);
      this.#show(
        entry,
        next(entry.shown, snapshot, isSame ? entry.shown.bytes : toBytes(snapshot.definition)),
      );
      entry.isUnread = true;
    }
    return entry.shown;
  }

  /** What the writer of this file has seen; none when nothing is known of it. */
  base(uri: vscode.Uri): JsonObject | undefined {
    const entry = this.#entries.get(uri.toString());
    return (findDocument(uri) === undefined ? entry?.shown : entry?.base)?.snapshot.definition;
  }

  agreed(uri: vscode.Uri): JsonObject | undefined {
    return this.#entries.get(uri.toString())?.agreed;
  }

  /** A person has seen this side of a conflict and decided to go on. */
  agree(uri: vscode.Uri, theirs: JsonObject): void {
    const entry = this.#entries.get(uri.toString());
    if (entry !== undefined) entry.agreed = theirs;
  }

  /** The bytes were saved, and this is what the service made of them. */
  acceptSaved(uri: vscode.Uri, bytes: Uint8Array, now: DefinitionSnapshot): void {
    const entry = this.#entries.get(uri.toString());
    const shown = next(entry?.shown, now, bytes);
    this.#entries.set(uri.toString(), { uri, shown, base: shown, agreed: undefined, isUnread: true });
    if (findDocument(uri) === undefined) this.#showAsKept(uri);
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
    this.#changes.dispose();
    this.#entries.clear();
  }

  #show(entry: Entry, shown: ShownDefinition): void {
    const { shown: earlier, base } = entry;
    entry.shown = shown;
    if (shown.mtime === earlier.mtime) {
      if (base === earlier) entry.base = shown;
      return;
    }
    this.#changes.fire([{ type: vscode.FileChangeType.Changed, uri: entry.uri }]);
  }

  /** The editor is done with the save; where the service keeps something else than the text says, the text follows now. */
  #showAsKept(uri: vscode.Uri): void {
    const entry = this.#entries.get(uri.toString());
    if (entry === undefined || findDocument(uri)?.isDirty === true) return;
    const { snapshot, bytes } = entry.shown;
    const { definition } = snapshot;
    if (!equalJson(parseDefinition(new TextDecoder().decode(bytes), definition), definition))
      this.#show(entry, next(entry.shown, snapshot, toBytes(definition)));
  }

  #observe(document: vscode.TextDocument): void {
    const entry = this.#entries.get(document.uri.toString());
    if (entry === undefined) return;
    if (document.isDirty) {
      // What was shown since does not count: these edits began on the base.
      if (entry.base !== undefined) entry.shown = entry.base;
    } else if (document.getText() === new TextDecoder().decode(entry.shown.bytes)) {
      entry.base = entry.shown;
    }
  }
}
