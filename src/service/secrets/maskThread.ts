// The thread that masks long texts, so that no other work waits for them. It starts with the first text, and ends when none has come for a
// while.
import { Worker } from 'node:worker_threads';
import { threadProgram } from '../threadProgram.ts';

/** How long the thread may take for a text of 1 MiB: it needs a tenth of a second, so a longer time is a fault. */
const longestMs = 30_000;
/** After this time without a text, the thread ends: it takes as much memory as a small program. */
const longestIdleMs = 30_000;

export type TextKind = 'text' | 'json';
export type MaskOrder =
  | { readonly kind: 'update'; readonly values: readonly string[] }
  | { readonly kind: TextKind; readonly text: string };

interface WaitingText {
  readonly text: string;
  readonly resolve: (masked: string) => void;
  readonly reject: (reason: unknown) => void;
}

export class MaskThread {
  #values: readonly string[];
  #worker: Worker | undefined;
  /** In order; the thread masks the first one. */
  readonly #waiting: WaitingText[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(values: readonly string[]) {
    this.#values = values;
  }

  /** Replaces the values for the texts that come later. */
  update(values: readonly string[]): void {
    this.#values = values;
    this.#worker?.postMessage({ kind: 'update', values } satisfies MaskOrder);
  }

  /** Rejects when the thread has failed, took too long, or was ended. */
  mask(kind: TextKind, text: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const worker = (this.#worker ??= this.#start());
      this.#waiting.push({ text, resolve, reject });
      worker.postMessage({ kind, text } satisfies MaskOrder);
      if (this.#waiting.length === 1) this.#watch(worker);
    });
  }

  /** Rejects the waiting texts with the reason. */
  end(reason: unknown): void {
    const worker = this.#worker;
    this.#worker = undefined;
    clearTimeout(this.#timer);
    for (const { reject } of this.#waiting.splice(0)) reject(reason);
    void worker?.terminate();
  }

  #start(): Worker {
    const worker = new Worker(threadProgram(import.meta.url, './maskWorker.ts', './mask.js'), {
      name: 'mask',
      env: {},
      execArgv: [],
      workerData: this.#values,
    });
    const fail = (reason: unknown): void => {
      if (this.#worker === worker) this.end(reason);
    };
    worker.on('message', (masked: string | null) => {
      // Results can still arrive from a thread that was ended.
      if (this.#worker !== worker) return;
      const done = this.#waiting.shift();
      this.#watch(worker);
      done?.resolve(masked ?? done.text);
    });
    worker.on('error', fail);
    worker.on('exit', () => fail(new Error('The thread that masks has ended.')));
    return worker;
  }

  /** Limits the time for the first text, or the wait for one. */
  #watch(worker: Worker): void {
    clearTimeout(this.#timer);
    if (this.#waiting.length > 0) {
      worker.ref();
      this.#timer = setTimeout(
        () => this.end(new Error(`Masking took longer than ${longestMs} ms.`)),
        longestMs,
      );
    } else {
      worker.unref();
      this.#timer = setTimeout(() => this.end(undefined), longestIdleMs).unref();
    }
  }
}
