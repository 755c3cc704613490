// A followed stream whose items a test sends by hand, and which ends on abort as a real one does.
import { abortReason } from '../../../src/base/async.ts';
import type { FollowItem } from '../../../src/api/servicePort.ts';

type Step = { readonly item: FollowItem } | { readonly error: Error } | 'closed';

/** One follow that a client has asked for. */
export class Channel {
  readonly executionId: string;
  /** The sequence it was asked to resume after. */
  readonly after: number | undefined;
  readonly #signal: AbortSignal;
  readonly #steps: Step[] = [];
  #wake = Promise.withResolvers<undefined>();

  constructor(executionId: string, after: number | undefined, signal: AbortSignal) {
    this.executionId = executionId;
    this.after = after;
    this.#signal = signal;
    signal.addEventListener('abort', () => this.#push({ error: abortReason(signal) }));
  }

  get isAborted(): boolean {
    return this.#signal.aborted;
  }

  send(...items: readonly FollowItem[]): void {
    for (const item of items) this.#push({ item });
  }

  fail(error: Error): void {
    this.#push({ error });
  }

  /** Ends the stream without a word about the execution. */
  close(): void {
    this.#push('closed');
  }

  async *items(): AsyncGenerator<FollowItem> {
    for (;;) {
      this.#signal.throwIfAborted();
      const step = this.#steps.shift();
      if (step === undefined) {
        await this.#wake.promise;
        continue;
      }
      if (step === 'closed') return;
      if ('error' in step) throw step.error;
      yield step.item;
    }
  }

  #push(step: Step): void {
    this.#steps.push(step);
    this.#wake.resolve(undefined);
    this.#wake = Promise.withResolvers<undefined>();
  }
}
