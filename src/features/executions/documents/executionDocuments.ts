import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../../base/disposable.ts';
import { withSignal, findDocument } from '../../../editor/documents/documents.ts';
import {
  executionAddress,
  type ExecutionPart,
  executionParts,
  requireAddress,
} from '../../../ui/addresses.ts';
import type { App } from '../../../ui/app.ts';
import { toUserError } from '../../../ui/words/describeError.ts';
import {
  type DocumentSource,
  type ExecutionDocument,
  isDocumentOf,
  type NodeRunTarget,
} from './documentSource.ts';
import type { Section } from './sections.ts';
import { Pulse } from '../../../base/pulse.ts';
import type { Clock } from '../../../base/time.ts';

export type DocumentSources = Readonly<Record<ExecutionPart, DocumentSource>>;

const documentOf = (uri: vscode.Uri): ExecutionDocument | undefined => {
  const address = executionAddress(uri);
  return address && { uri, address };
};

/** The documents of executions, each of which the source of its part makes, and which are read again when that may give another text. */
export class ExecutionDocuments implements vscode.TextDocumentContentProvider, Disposable {
  readonly #sources: DocumentSources;
  readonly #owned = new DisposableStore();
  readonly #changes: DocumentChanges;
  readonly onDidChange: vscode.Event<vscode.Uri>;

  constructor({ clock, executions }: Pick<App, 'clock' | 'executions'>, sources: DocumentSources) {
    this.#sources = sources;
    const changes = (this.#changes = this.#owned.add(new DocumentChanges(clock)));
    this.onDidChange = changes.onDidChange;
    this.#owned.add(
      vscode.workspace.onDidCloseTextDocument(({ uri }) => {
        const document = documentOf(uri);
        if (document !== undefined) sources[document.address.part].forget?.(document);
      }),
    );
    this.#owned.add(
      executions.onDidChange((change) =>
        changes.announce((uri) => {
          const address = executionAddress(uri);
          return address !== undefined && sources[address.part].isTouched(address, change);
        }),
      ),
    );
    for (const part of executionParts) this.#watch(part);
  }

  async provideTextDocumentContent(uri: vscode.Uri, token: vscode.CancellationToken): Promise<string> {
    try {
      return await withSignal(token, (signal) => this.#changes.provide(uri, () => this.read(uri, signal)));
    } catch (error) {
      throw toUserError(error);
    }
  }

  /** Returns the text of a document. Throws FileNotFound for any other URI, and a ServiceError. */
  async read(uri: vscode.Uri, signal: AbortSignal): Promise<string> {
    const document = requireAddress(uri, documentOf);
    return this.#sources[document.address.part].read(document, signal);
  }

  sectionsOf(document: vscode.TextDocument): readonly Section[] {
    const address = executionAddress(document.uri);
    return (address && this.#sources[address.part].sectionsOf?.(document, address)) ?? [];
  }

  /** Returns the node run that a document shows, or that its line is about. */
  findRun(uri: vscode.Uri, line: number): NodeRunTarget | undefined {
    const document = documentOf(uri);
    return document && this.#sources[document.address.part].findRun?.(document, line);
  }

  dispose(): void {
    this.#owned.dispose();
  }

  #watch(part: ExecutionPart): void {
    const listening = this.#sources[part].onDidChange?.((target) =>
      this.#changes.announce((uri) =>
        target === null ? executionAddress(uri)?.part === part : isDocumentOf(uri, part, target),
      ),
    );
    if (listening !== undefined) this.#owned.add(listening);
  }
}

/** Milliseconds between two updates of a growing document. */
const pauseMs = 200;
/** The same for a long text, which costs the editor more. */
const longPauseMs = 1000;
/** In UTF-16 units. */
const longText = 256 * 1024;

/** Announces changed documents to the editor in batches, as fast as it takes them. Changes while a document is being opened aren't lost. */
class DocumentChanges implements Disposable {
  readonly #owned = new DisposableStore();
  readonly #changes = this.#owned.add(new vscode.EventEmitter<vscode.Uri>());
  readonly onDidChange = this.#changes.event;
  readonly #touched = new Map<string, vscode.Uri>();
  /** Documents whose text was requested, but that aren't open yet. */
  readonly #opening = new Map<string, vscode.Uri>();
  /** Documents whose change was announced, and whose text the editor hasn't requested since: it's still busy with the text before. */
  readonly #announced = new Set<string>();
  /** The documents with a long text. */
  readonly #long = new Set<string>();
  readonly #pulse: Pulse;

  constructor(clock: Clock) {
    this.#pulse = this.#owned.add(new Pulse(clock, () => this.#announce(), { first: pauseMs }));
    this.#owned.add(
      vscode.workspace.onDidOpenTextDocument(({ uri }) => {
        if (this.#opening.delete(uri.toString())) this.#schedule();
      }),
    );
    this.#owned.add(vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#forget(uri)));
  }

  /** Provides a document's text. The editor ignores changes until it has opened the document, so a change in the meantime is announced afterwards. */
  async provide(uri: vscode.Uri, read: () => Promise<string>): Promise<string> {
    const isOpen = findDocument(uri) !== undefined;
    if (this.#announced.delete(uri.toString())) this.#schedule();
    if (!isOpen) this.#opening.set(uri.toString(), uri);
    try {
      const text = await read();
      if (text.length > longText) this.#long.add(uri.toString());
      else this.#long.delete(uri.toString());
      return text;
    } catch (error) {
      if (!isOpen) this.#forget(uri);
      throw error;
    }
  }

  /** Announces a change of the concerned documents that are open or being opened. */
  announce(isConcerned: (uri: vscode.Uri) => boolean): void {
    const open = vscode.workspace.textDocuments.map(({ uri }) => uri);
    for (const uri of [...open, ...this.#opening.values()]) {
      if (isConcerned(uri)) this.#touched.set(uri.toString(), uri);
    }
    this.#schedule();
  }

  dispose(): void {
    this.#owned.dispose();
  }

  #schedule(): void {
    if (this.#touched.size === 0) return;
    const isLong = [...this.#touched.keys()].some((key) => this.#long.has(key));
    this.#pulse.ask(isLong ? longPauseMs : pauseMs);
  }

  #announce(): void {
    for (const [key, uri] of [...this.#touched]) {
      if (this.#opening.has(key) || this.#announced.has(key)) continue;
      this.#touched.delete(key);
      this.#announced.add(key);
      this.#changes.fire(uri);
    }
  }

  #forget(uri: vscode.Uri): void {
    this.#opening.delete(uri.toString());
    this.#touched.delete(uri.toString());
    this.#announced.delete(uri.toString());
    this.#long.delete(uri.toString());
  }
}
