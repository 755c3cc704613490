// A few workers for all that authors wrote: work waits in order, and what does not end is ended with its worker.
import type { Kind, Result } from './messages.ts';
import { SandboxWorker, type Work, WorkerEnd, type WorkerOptions } from './sandboxWorker.ts';

export interface PoolOptions extends WorkerOptions {
  /** How many workers there are at most. */
  readonly size: number;
}

interface Waiting {
  readonly begin: (worker: SandboxWorker) => Promise<void>;
  readonly reject: (reason: unknown) => void;
}

/** Workers start with the first work, stay, and are replaced when they end. Work waits for its turn however long that takes. */
export class Pool {
  readonly #options: PoolOptions;
  readonly #workers = new Set<SandboxWorker>();
  /** The one that worked last is the last: it holds most of what is needed next. */
  readonly #idle: SandboxWorker[] = [];
  readonly #queue: Waiting[] = [];
  #isDisposed = false;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  /** Rejects with a NodeError, a WorkerEnd, or the signal's reason; what a worker has begun it then still ends. */
  run<K extends Kind>(work: Work<K>, signal?: AbortSignal): Promise<Result<K>> {
    signal?.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<Result<K>>();
    if (this.#isDisposed) {
      reject(stopped());
      return promise;
    }
    const waiting: Waiting = { begin: (worker) => worker.run(work).then(resolve, reject), reject };
    const abort = (): void => {
      const index = this.#queue.indexOf(waiting);
      if (index !== -1) this.#queue.splice(index, 1);
      reject(signal?.reason);
    };
    signal?.addEventListener('abort', abort);
    this.#queue.push(waiting);
    this.#next();
    return promise.finally(() => signal?.removeEventListener('abort', abort));
  }

  async dispose(): Promise<void> {
    this.#isDisposed = true;
    for (const { reject } of this.#queue.splice(0)) reject(stopped());
    await Promise.all([...this.#workers].map((worker) => worker.end(stopped())));
  }

  #next(): void {
    for (let worker = this.#idle.pop(); worker; worker = this.#idle.pop()) {
      const waiting = this.#queue.shift();
      if (!waiting) {
        this.#idle.push(worker);
        return;
      }
      void this.#give(worker, waiting);
    }
    const starting = [...this.#workers].filter(({ isReady }) => !isReady).length;
    if (this.#queue.length > starting) this.#start();
  }

  #start(): void {
    if (this.#isDisposed || this.#workers.size >= this.#options.size) return;
    const worker = new SandboxWorker(this.#options);
    this.#workers.add(worker);
    worker.ready.then(
      () => this.#rest(worker),
      (error: unknown) => {
        // Whatever waits hears why; starting one after the other would not help.
        this.#workers.delete(worker);
        for (const { reject } of this.#queue.splice(0)) reject(error);
      },
    );
  }

  async #give(worker: SandboxWorker, { begin }: Waiting): Promise<void> {
    await begin(worker);
    this.#rest(worker);
  }

  /** Gives a worker its next work; one that has ended is replaced. */
  #rest(worker: SandboxWorker): void {
    if (worker.isEnded) {
      this.#workers.delete(worker);
      this.#start();
      return;
    }
    this.#idle.push(worker);
    this.#next();
  }
}

function stopped(): WorkerEnd {
  return new WorkerEnd('stopped', 'the service stops.');
}
