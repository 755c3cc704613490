import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../../base/disposable.ts';
import { withSignal } from '../../../editor/documents/documents.ts';
import { executionAddress, type ExecutionPart, executionParts } from '../../../ui/addresses.ts';
import type { App } from '../../../ui/app.ts';
import { toUserError } from '../../../ui/words/describeError.ts';
import { DocumentChanges } from './documentChanges.ts';
import {
  type DocumentSource,
  type ExecutionDocument,
  isDocumentOf,
  type NodeRunTarget,
} from './documentSource.ts';
import type { Section } from './sections.ts';

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
    const document = documentOf(uri);
    if (document === undefined) throw vscode.FileSystemError.FileNotFound(uri);
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
