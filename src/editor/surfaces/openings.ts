// A document of ours that cannot be opened is told by the editor in words of its own; this keeps what really failed.
import { EventEmitter, FileSystemError, workspace } from 'vscode';
import type * as vscode from 'vscode';

/** A document that somebody else asked for: the editor with a tab of an earlier window, a link, another extension. */
export interface FailedOpening {
  readonly uri: vscode.Uri;
  readonly error: Error;
}

export class Openings {
  /** Of the documents that are being opened. */
  readonly #failures = new Map<string, Error | undefined>();
  /** The editor asks twice for one document, and one failure answers both. */
  readonly #told = new WeakSet<Error>();
  readonly #failed = new EventEmitter<FailedOpening>();
  /** What nobody else tells; the editor itself says of a file that it was not found. */
  readonly onDidFail = this.#failed.event;

  /** Opens a document; rejects with what its provider failed with. */
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

  /** Gives a document what its provider has. */
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
