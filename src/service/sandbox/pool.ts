// A small pool of workers: owners take turns, checks of definitions have capacity of their own, and a worker that exceeds its deadline is
// terminated.
import { messageOf } from '../../base/reason.ts';
import type { WorkKind, WorkResult } from './messages.ts';
import { SandboxWorker, type SandboxWork, WorkerEnd, type WorkerOptions } from './sandboxWorker.ts';
import { FairQueue } from './fairQueue.ts';

export interface PoolOptions extends WorkerOptions {
  /** The maximum number of workers. */
  readonly size: number;
  /** How many expressions may wait, and how many checks of definitions. */
  readonly maximumWaiting: number;
  readonly maximumChecks: number;
}

/** The owner that the work is counted for: a workflow's id, or that of the checks of definitions. */
type WorkOwner = string | typeof checks;
export const checks = Symbol('checks');

interface WaitingWork {
  readonly begin: (worker: SandboxWorker) => Promise<void>;
  readonly reject: (reason: unknown) => void;
}

/** How much work waits for a worker, and how much was refused since the start because too much was waiting. */
export interface SandboxUse {
  readonly expressions: number;
  readonly checks: number;
  readonly refused: number;
}

/**
 * Starts workers on demand and replaces those that end. One check of a definition runs at a time and takes the next free worker, so checks
 * never wait behind expressions, and leave them the other workers. The time that work spends waiting isn't limited.
 */
export class Pool {
  readonly #options: PoolOptions;
  readonly #workers = new Set<SandboxWorker>();
  /** The most recently used worker is last: it holds most of the values that the next work needs. */
  readonly #idle: SandboxWorker[] = [];
  readonly #expressions = new FairQueue<WaitingWork>();
  readonly #checks = new Set<WaitingWork>();
  #isChecking = false;
  #refused = 0;
  #isDisposed = false;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  get use(): SandboxUse {
    return { expressions: this.#expressions.size, checks: this.#checks.size, refused: this.#refused };
  }

  /**
   * Rejects with a NodeError, a WorkerEnd, or the signal's reason. Aborting ends a check that has started, since others wait for it; an
   * expression continues until its deadline.
   */
  run<K extends WorkKind>(
    owner: WorkOwner,
    work: SandboxWork<K>,
    signal?: AbortSignal,
  ): Promise<WorkResult<K>> {
    signal?.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<WorkResult<K>>();
    if (this.#isDisposed) {
      reject(stopped());
      return promise;
    }
    if (!this.#hasRoom(owner)) {
      this.#refused += 1;
      reject(new WorkerEnd('refused', 'too many expressions are already waiting.'));
      return promise;
    }
    let running: SandboxWorker | undefined;
    const begin = (worker: SandboxWorker): Promise<void> => {
      running = worker;
      return worker.run(work).then(resolve, reject);
    };
    const waiting: WaitingWork = { begin, reject };
    const abort = (): void => {
      reject(signal?.reason);
      if (owner !== checks) this.#expressions.remove(waiting);
      else if (running === undefined) this.#checks.delete(waiting);
      else void running.end(new WorkerEnd('stopped', 'nobody waits for it any more.'));
    };
    signal?.addEventListener('abort', abort);
    if (owner === checks) this.#checks.add(waiting);
    else this.#expressions.add(owner, waiting);
    this.#next();
    return promise.finally(() => signal?.removeEventListener('abort', abort));
  }

  async dispose(): Promise<void> {
    this.#isDisposed = true;
    this.#rejectAll(stopped());
    await Promise.all([...this.#workers].map((worker) => worker.end(stopped())));
  }

  #hasRoom(owner: WorkOwner): boolean {
    const { maximumWaiting, maximumChecks } = this.#options;
    return owner === checks ? this.#checks.size < maximumChecks : this.#expressions.size < maximumWaiting;
  }

  #rejectAll(reason: unknown): void {
    for (const { reject } of [...this.#checks, ...this.#expressions.clear()]) reject(reason);
    this.#checks.clear();
  }

  #next(): void {
    for (let worker = this.#idle.pop(); worker; worker = this.#idle.pop()) {
      // It can end while it's idle, such as by what its last task has left.
      if (worker.isEnded) {
        this.#workers.delete(worker);
        continue;
      }
      const work = this.#take(worker);
      if (!work) {
        this.#idle.push(worker);
        return;
      }
      void work;
    }
    const starting = [...this.#workers].filter(({ isReady }) => !isReady).length;
    if (this.#expressions.size + (this.#mayCheck ? 1 : 0) > starting) this.#start();
  }

  get #mayCheck(): boolean {
    return this.#checks.size > 0 && !this.#isChecking;
  }

  /** Gives the worker the next work; undefined when there is none. */
  #take(worker: SandboxWorker): Promise<void> | undefined {
    const [check] = this.#mayCheck ? this.#checks : [];
    if (check) {
      this.#checks.delete(check);
      return this.#check(worker, check);
    }
    const next = this.#expressions.take();
    return next && this.#evaluate(worker, next.owner, next.item);
  }

  async #check(worker: SandboxWorker, { begin }: WaitingWork): Promise<void> {
    this.#isChecking = true;
    await begin(worker);
    this.#isChecking = false;
    this.#rest(worker);
  }

  async #evaluate(worker: SandboxWorker, owner: string, { begin }: WaitingWork): Promise<void> {
    const beganAt = performance.now();
    await begin(worker);
    this.#expressions.charge(owner, performance.now() - beganAt);
    this.#rest(worker);
  }

  #start(): void {
    if (this.#isDisposed || this.#workers.size >= this.#options.size) return;
    let worker: SandboxWorker;
    try {
      worker = new SandboxWorker(this.#options);
    } catch (error) {
      // The machine gives no more threads. Workers that there are take what waits.
      if (this.#workers.size === 0)
        this.#rejectAll(new WorkerEnd('crashed', `its worker could not be started: ${messageOf(error)}`));
      return;
    }
    this.#workers.add(worker);
    worker.ready.then(
      () => this.#rest(worker),
      (error: unknown) => {
        // Rejects all waiting work: further workers would fail to start as well.
        this.#workers.delete(worker);
        this.#rejectAll(error);
      },
    );
  }

  /** Makes a worker available for the next work; replaces it if it has ended. */
  #rest(worker: SandboxWorker): void {
    if (worker.isEnded) {
      this.#workers.delete(worker);
      this.#start();
    } else this.#idle.push(worker);
    this.#next();
  }
}

function stopped(): WorkerEnd {
  return new WorkerEnd('stopped', 'the service stops.');
}
