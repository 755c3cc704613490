// Tells the editor what a session waits for, with a button that ends the wait.
import type { DebugProtocol } from '@vscode/debugprotocol';
import * as vscode from 'vscode';

type Start = DebugProtocol.ProgressStartEvent['body'];
type Update = DebugProtocol.ProgressUpdateEvent['body'];
type End = DebugProtocol.ProgressEndEvent['body'];

/** What takes its time: a way over the runs, of which so many percent are done, or the next run of an execution that goes on. */
export type Waiting =
  { readonly kind: 'looking'; readonly percentage: number } | { readonly kind: 'waiting' };

export class Progress {
  readonly #send: (event: string, body: object) => void;
  #last = 0;
  #shown: { readonly progressId: string; readonly waiting: Waiting } | undefined;

  /** `send`: sends an event of the protocol. */
  constructor(send: (event: string, body: object) => void) {
    this.#send = send;
  }

  show(waiting: Waiting): void {
    if (this.#shown?.waiting.kind !== waiting.kind) this.#start(waiting);
    else if (waiting.kind === 'looking') this.#update(this.#shown.progressId, waiting);
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

  #start(waiting: Waiting): void {
    this.end();
    const progressId = String((this.#last += 1));
    this.#shown = { progressId, waiting };
    const title =
      waiting.kind === 'looking'
        ? vscode.l10n.t('Looking for the next stop')
        : vscode.l10n.t('Waiting for the next node run');
    const percentage = waiting.kind === 'looking' ? { percentage: waiting.percentage } : {};
    this.#send('progressStart', { progressId, title, cancellable: true, ...percentage } satisfies Start);
  }

  #update(progressId: string, waiting: Extract<Waiting, { readonly kind: 'looking' }>): void {
    const { percentage } = waiting;
    const shown = this.#shown?.waiting;
    if (shown?.kind === 'looking' && shown.percentage === percentage) return;
    this.#shown = { progressId, waiting };
    this.#send('progressUpdate', { progressId, percentage } satisfies Update);
  }
}
