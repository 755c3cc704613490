// Checks definitions in a thread of its own: the check of a large one takes longer than a key press may.
import { Worker } from 'node:worker_threads';
import { abortReason } from '../base/async.ts';
import type { Disposable } from '../base/disposable.ts';
import type { Clock } from '../base/time.ts';
import type { CheckAnswer, CheckOrder, CheckWords } from './checkMessages.ts';

/** A text that takes longer is left to the service, which has a deadline too. */
const deadlineMs = 5000;
const memoryMiB = 128;

export interface CheckThreadOptions {
  /** The path of the thread's program. */
  readonly program: string;
  readonly clock: Clock;
  readonly words: CheckWords['words'];
}

/** The check under way. */
interface Pending {
  readonly worker: Worker;
  readonly resolve: (answer: CheckAnswer) => void;
  readonly reject: (reason: Error) => void;
}

/** The thread starts with the first check. */
export class CheckThread implements Disposable {
  readonly #options: CheckThreadOptions;
  #worker: Worker | undefined;
  #pending: Pending | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: CheckThreadOptions) {
    this.#options = options;
  }

  /** Checks one text after the other. Rejects with the signal's reason, and when the check fails or takes too long. */
  check(order: CheckOrder, signal: AbortSignal): Promise<CheckAnswer> {
    const checking = this.#last.then(() => this.#run(order, signal));
    this.#last = checking.catch(() => undefined);
    return checking;
  }

  /** Ends the thread; the next check starts another. */
  end(): void {
    if (this.#worker !== undefined) this.#fail(this.#worker, new Error('The thread was ended.'));
  }

  dispose(): void {
    this.end();
  }

  async #run(order: CheckOrder, signal: AbortSignal): Promise<CheckAnswer> {
    signal.throwIfAborted();
    const worker = (this.#worker ??= this.#start());
    // A thread can't be stopped within a text, only ended.
    const onAbort = (): void => this.#fail(worker, abortReason(signal));
    const deadline = this.#options.clock.schedule(
      () => this.#fail(worker, new Error(`The check took longer than ${deadlineMs} ms.`)),
      deadlineMs,
      'deadline',
    );
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      return await new Promise<CheckAnswer>((resolve, reject) => {
        this.#pending = { worker, resolve, reject };
        worker.postMessage(order);
      });
    } finally {
      this.#pending = undefined;
      deadline.dispose();
      signal.removeEventListener('abort', onAbort);
    }
  }

  #start(): Worker {
    const { program, words } = this.#options;
    const workerData: CheckWords = words === undefined ? {} : { words };
    const worker = new Worker(program, {
      name: 'definition check',
      env: {},
      execArgv: [],
      workerData,
      resourceLimits: { maxOldGenerationSizeMb: memoryMiB },
    });
    worker.on('message', (answer: CheckAnswer) => {
      if (this.#pending?.worker === worker) this.#pending.resolve(answer);
    });
    worker.on('error', (error) => this.#fail(worker, error));
    worker.on('exit', () => this.#fail(worker, new Error('The thread ended.')));
    return worker;
  }

  #fail(worker: Worker, reason: unknown): void {
    if (this.#worker === worker) this.#worker = undefined;
    if (this.#pending?.worker === worker)
      this.#pending.reject(reason instanceof Error ? reason : new Error(String(reason)));
    void worker.terminate();
  }
}
