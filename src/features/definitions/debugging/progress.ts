// Tells the editor how far a long way has come, with a button that ends it there.
import type { DebugProtocol } from '@vscode/debugprotocol';
import * as vscode from 'vscode';

type Start = DebugProtocol.ProgressStartEvent['body'];
type Update = DebugProtocol.ProgressUpdateEvent['body'];
type End = DebugProtocol.ProgressEndEvent['body'];

export class Progress {
  readonly #send: (event: string, body: object) => void;
  #last = 0;
  #shown: { readonly progressId: string; readonly percentage: number } | undefined;

  /** `send`: sends an event of the protocol. */
  constructor(send: (event: string, body: object) => void) {
    this.#send = send;
  }

  /** From 0 to 100. */
  show(percentage: number): void {
    const shown = this.#shown;
    if (shown?.percentage === percentage) return;
    if (shown === undefined) {
      const progressId = String((this.#last += 1));
      const title = vscode.l10n.t('Looking for the next stop');
      this.#shown = { progressId, percentage };
      this.#send('progressStart', { ...this.#shown, title, cancellable: true } satisfies Start);
    } else {
      this.#shown = { ...shown, percentage };
      this.#send('progressUpdate', this.#shown satisfies Update);
    }
  }

  end(): void {
    if (this.#shown === undefined) return;
    const { progressId } = this.#shown;
    this.#shown = undefined;
    this.#send('progressEnd', { progressId } satisfies End);
  }

  isShown(progressId: string): boolean {
    return this.#shown?.progressId === progressId;
  }
}
