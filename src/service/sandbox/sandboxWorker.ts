// A worker thread, controlled from the service's own thread.
import { Worker } from 'node:worker_threads';
import { codeOf, messageOf } from '../../base/reason.ts';
import { NodeError } from '../errors.ts';
import type {
  WorkerReply,
  WorkKind,
  WorkOrder,
  WorkResult,
  Rounding,
  WorkTask,
  WorkerWords,
} from './messages.ts';
import type { ScopeValue } from '../../definition/expressionScope.ts';

/** The reason that work has no result; the message completes a sentence, such as "it took longer than 1000 ms." */
export class WorkerEnd extends Error {
  override readonly name = 'WorkerEnd';
  readonly kind: 'timedOut' | 'outOfMemory' | 'crashed' | 'stopped' | 'refused';

  constructor(kind: WorkerEnd['kind'], message: string) {
    super(message);
    this.kind = kind;
  }
}

export interface WorkerOptions extends WorkerWords {
  /** The worker's program. */
  readonly program: URL;
  /** For JavaScript objects and strings; the thread itself needs some more. */
  readonly memoryMiB: number;
  /** How many characters of JSON the worker caches. */
  readonly heldCharacters: number;
}

export interface SandboxWork<K extends WorkKind = WorkKind> {
  readonly task: WorkTask<K>;
  /** The values that the task refers to. */
  readonly values: Iterable<ScopeValue>;
  /** Starts when a worker starts on the task. */
  readonly deadlineMs: number;
  /** Called with the numbers that expressions read as the nearest ones, before the work settles. */
  readonly onRounded?: OnRounded | undefined;
}

export type OnRounded = (rounded: readonly Rounding[]) => void;

interface RunningWork {
  readonly reject: (reason: unknown) => void;
  readonly timer: NodeJS.Timeout;
}

const youngGenerationMiB = 16;
const stackMiB = 4;

export class SandboxWorker {
  readonly #options: WorkerOptions;
  readonly #thread: Worker;
  readonly #ready = Promise.withResolvers<undefined>();
  /** The lengths of the values that the worker holds, by id; the most recently used is last. */
  readonly #held = new Map<number, number>();
  #heldCharacters = 0;
  #running: RunningWork | undefined;
  #isReady = false;
  #isEnded = false;

  constructor(options: WorkerOptions) {
    this.#options = options;
    this.#thread = new Worker(options.program, {
      name: 'sandbox',
      env: {},
      execArgv: [],
      workerData: { words: options.words } satisfies WorkerWords,
      resourceLimits: {
        maxOldGenerationSizeMb: options.memoryMiB,
        maxYoungGenerationSizeMb: youngGenerationMiB,
        stackSizeMb: stackMiB,
      },
    });
    this.#thread.once('message', () => {
      this.#isReady = true;
      this.#thread.unref();
      this.#ready.resolve(undefined);
    });
    this.#thread.on('error', (error) => this.#fail(this.#reasonOf(error)));
    this.#thread.on('exit', () => this.#fail(new WorkerEnd('crashed', 'its worker ended.')));
  }

  /** Resolves when the worker can take work; rejects with a WorkerEnd. */
  get ready(): Promise<undefined> {
    return this.#ready.promise;
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** Runs one task at a time. Rejects with a NodeError, or with a WorkerEnd when the worker ended. */
  run<K extends WorkKind>(work: SandboxWork<K>): Promise<WorkResult<K>> {
    const { deadlineMs, onRounded } = work;
    return new Promise((resolve, reject) => {
      const order = this.#order(work);
      this.#thread.ref();
      this.#thread.once('message', (reply: WorkerReply<K>) => {
        this.#settle();
        if (reply.kind !== 'ready' && reply.rounded.length > 0) onRounded?.(reply.rounded);
        if (reply.kind === 'done') resolve(reply.result);
        else if (reply.kind === 'failed') reject(new NodeError(reply.code, reply.message));
      });
      this.#thread.postMessage(order);
      const timer = setTimeout(() => {
        // First handles a reply that arrived while this thread was busy.
        setImmediate(() => {
          if (this.#running?.timer !== timer) return;
          this.#fail(new WorkerEnd('timedOut', `it took longer than ${deadlineMs} ms.`));
        });
      }, deadlineMs);
      this.#running = { reject, timer };
    });
  }

  /** Rejects the running task with the reason; resolves when the thread has ended. */
  async end(reason: WorkerEnd): Promise<void> {
    this.#fail(reason);
    await this.#thread.terminate();
  }

  #fail(reason: WorkerEnd): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#ready.reject(reason);
    this.#settle()?.reject(reason);
    void this.#thread.terminate();
  }

  #settle(): RunningWork | undefined {
    const running = this.#running;
    this.#running = undefined;
    clearTimeout(running?.timer);
    this.#thread.unref();
    return running;
  }

  /** Adds the values that the worker doesn't hold and releases the least recently used ones. */
  #order<K extends WorkKind>({ task, values }: SandboxWork<K>): WorkOrder<K> {
    const load: [number, string][] = [];
    const needed = new Set<number>();
    for (const { id, text } of values) {
      needed.add(id);
      if (this.#held.delete(id)) this.#heldCharacters -= text.length;
      else load.push([id, text]);
      this.#held.set(id, text.length);
      this.#heldCharacters += text.length;
    }
    const drop: number[] = [];
    for (const [id, length] of this.#held) {
      if (this.#heldCharacters <= this.#options.heldCharacters || needed.has(id)) break;
      this.#held.delete(id);
      this.#heldCharacters -= length;
      drop.push(id);
    }
    return { load, drop, task };
  }

  #reasonOf(error: unknown): WorkerEnd {
    if (codeOf(error) === 'ERR_WORKER_OUT_OF_MEMORY')
      return new WorkerEnd('outOfMemory', `it needs more than ${this.#options.memoryMiB} MiB of memory.`);
    return new WorkerEnd('crashed', `its worker ended: ${messageOf(error)}`);
  }
}
