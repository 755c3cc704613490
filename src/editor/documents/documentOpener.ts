import { EventEmitter, FileSystemError, workspace } from 'vscode';
import type * as vscode from 'vscode';

/** A document that the editor, a link or another extension requested and that couldn't be read. */
export interface FailedOpening {
  readonly uri: vscode.Uri;
  readonly error: Error;
}

/** Opens documents of our schemes. The editor replaces a failure by a message of its own, so this class keeps the original error. */
export class DocumentOpener {
  /** The errors of the documents that are being opened. */
  readonly #failures = new Map<string, Error | undefined>();
  /** The errors that were already reported. The editor reads a document twice, and both reads can fail with the same error. */
  readonly #reported = new WeakSet<Error>();
  readonly #failed = new EventEmitter<FailedOpening>();
  /** Fires for failures outside `open`, except for errors of the file system such as a missing file, which the editor reports well itself. */
  readonly onDidFail = this.#failed.event;

  /** Rejects with the error of the document's provider. */
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

  /** Reads a document's content from its provider, and records a failure. */
  async provide<T>(uri: vscode.Uri, read: () => Promise<T>): Promise<T> {
    try {
      return await read();
    } catch (error) {
      if (error instanceof Error) this.#report(uri, error);
      throw error;
    }
  }

  dispose(): void {
    this.#failed.dispose();
  }

  #report(uri: vscode.Uri, error: Error): void {
    const key = uri.toString();
    if (this.#failures.has(key)) {
      this.#failures.set(key, error);
    } else if (!(error instanceof FileSystemError) && !this.#reported.has(error)) {
      this.#reported.add(error);
      this.#failed.fire({ uri, error });
    }
  }
}
