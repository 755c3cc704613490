// Why: a document of ours that cannot be opened is told by the editor in words of its own; this keeps what really failed.
import { workspace } from 'vscode';
import type * as vscode from 'vscode';

export class Openings {
  /** Of the documents that are being opened. */
  readonly #failures = new Map<string, Error | undefined>();

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
      const key = uri.toString();
      if (error instanceof Error && this.#failures.has(key)) this.#failures.set(key, error);
      throw error;
    }
  }
}
