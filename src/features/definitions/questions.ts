import type * as vscode from 'vscode';

/** Asks one question per document at a time. */
export class Questions {
  readonly #asking = new Set<vscode.TextDocument>();

  /** Returns undefined while another question about the document is open. */
  async ask<T>(document: vscode.TextDocument, question: () => Promise<T>): Promise<T | undefined> {
    if (this.#asking.has(document)) return undefined;
    this.#asking.add(document);
    try {
      return await question();
    } finally {
      this.#asking.delete(document);
    }
  }
}
