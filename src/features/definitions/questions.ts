import type * as vscode from 'vscode';

/** Puts one question per document at a time to the person. */
export class Questions {
  readonly #asking = new Set<vscode.TextDocument>();

  /** Undefined while another question about the document is open. */
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
