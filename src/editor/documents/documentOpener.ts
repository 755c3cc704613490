import { EventEmitter, FileSystemError, workspace } from 'vscode';
import type * as vscode from 'vscode';

/** A document that the editor, a link or another extension requested and that couldn't be read. */
export interface FailedOpening {
  readonly uri: vscode.Uri;
  readonly error: Error;
}

/** A document that is being opened, once or several times at once. */
interface Opening {
  count: number;
  error: Error | undefined;
}

/** Opens documents of our schemes. The editor replaces a failure by a message of its own, so this class keeps the original error. */
export class DocumentOpener {
  readonly #openings = new Map<string, Opening>();
  /** The errors that were already reported. The editor reads a document twice, and both reads can fail with the same error. */
  readonly #reported = new WeakSet<Error>();
  readonly #failed = new EventEmitter<FailedOpening>();
  /** Fires for failures outside `open`, except for errors of the file system such as a missing file, which the editor reports well itself. */
  readonly onDidFail = this.#failed.event;

  /** Rejects with the error of the document's provider. */
  async open(uri: vscode.Uri): Promise<vscode.TextDocument> {
    const key = uri.toString();
    const opening = this.#openings.get(key) ?? { count: 0, error: undefined };
    this.#openings.set(key, opening);
    opening.count += 1;
    try {
      return await workspace.openTextDocument(uri);
    } catch (error) {
      throw opening.error ?? error;
    } finally {
      opening.count -= 1;
      if (opening.count === 0) this.#openings.delete(key);
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
    const opening = this.#openings.get(uri.toString());
    if (opening !== undefined) {
      opening.error = error;
    } else if (!(error instanceof FileSystemError) && !this.#reported.has(error)) {
      this.#reported.add(error);
      this.#failed.fire({ uri, error });
    }
  }
}
