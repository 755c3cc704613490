import { EventEmitter, FileSystemError, workspace } from 'vscode';
import type * as vscode from 'vscode';

/** A document that the editor, a link or another extension asked for and that could not be read. */
export interface FailedOpening {
  readonly uri: vscode.Uri;
  readonly error: Error;
}

/** Opens documents of our schemes. The editor tells a failure in words of its own, so this keeps what really failed. */
export class DocumentOpener {
  /** Of the documents that are being opened. */
  readonly #failures = new Map<string, Error | undefined>();
  /** The editor asks twice for one document, and one failure answers both. */
  readonly #told = new WeakSet<Error>();
  readonly #failed = new EventEmitter<FailedOpening>();
  /** Fires for what `open` was not asked for, except a file that is not there: the editor itself says that well. */
  readonly onDidFail = this.#failed.event;

  /** Rejects with what the document's provider failed with. */
  async open(uri: vscode.Uri): Promise<vscode.TextDocument> {
    const key = uri.toString();
    this.#failures.set(key, undefined);
    try {
      return await workspace.openTextDocument(uri);
    } catch (error) {
      throw this.#failures.get(key) ?? error;
    } finally {
      this.#failures.delete(key);
    }
  }

  /** Reads what a provider has of a document, and remembers a failure. */
  async provide<T>(uri: vscode.Uri, read: () => Promise<T>): Promise<T> {
    try {
      return await read();
    } catch (error) {
      if (error instanceof Error) this.#tell(uri, error);
      throw error;
    }
  }

  dispose(): void {
    this.#failed.dispose();
  }

  #tell(uri: vscode.Uri, error: Error): void {
    const key = uri.toString();
    if (this.#failures.has(key)) {
      this.#failures.set(key, error);
    } else if (!(error instanceof FileSystemError) && !this.#told.has(error)) {
      this.#told.add(error);
      this.#failed.fire({ uri, error });
    }
  }
}
