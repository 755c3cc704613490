// A small pool of workers: work is queued in order, and a worker that exceeds its deadline is terminated.
import type { Kind, Result } from './messages.ts';
import { SandboxWorker, type Work, WorkerEnd, type WorkerOptions } from './sandboxWorker.ts';

export interface PoolOptions extends WorkerOptions {
  /** The maximum number of workers. */
  readonly size: number;
}

interface Waiting {
  readonly begin: (worker: SandboxWorker) => Promise<void>;
  readonly reject: (reason: unknown) => void;
}

/** Starts workers on demand and replaces those that end. The time that work spends in the queue isn't limited. */
export class Pool {
  readonly #options: PoolOptions;
  readonly #workers = new Set<SandboxWorker>();
  /** The most recently used worker is last: it holds most of the values that the next work needs. */
  readonly #idle: SandboxWorker[] = [];
  readonly #queue: Waiting[] = [];
  #isDisposed = false;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  /** Rejects with a NodeError, a WorkerEnd, or the signal's reason. Aborting doesn't interrupt work that a worker has started. */
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
        // Rejects all queued work: further workers would fail to start as well.
        this.#workers.delete(worker);
        for (const { reject } of this.#queue.splice(0)) reject(error);
      },
    );
  }

  async #give(worker: SandboxWorker, { begin }: Waiting): Promise<void> {
    await begin(worker);
    this.#rest(worker);
  }

  /** Makes a worker available for the next work; replaces it if it has ended. */
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
