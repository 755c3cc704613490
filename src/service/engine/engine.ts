// The engine on OpenWorkflow with SQLite, of which its interface shows nothing: runs are stored, leased to one worker at a time and resumed
// after a restart.
import { OpenWorkflow, type Worker } from 'openworkflow';
import type { BackendSqlite } from 'openworkflow/sqlite';
import * as v from 'valibot';
import type { Logger } from '../../base/logger.ts';
import { type Now, systemClock, wait } from '../../base/time.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { Claim, Store, UnfinishedExecution } from '../store/store.ts';
import { runExecution } from './execution.ts';
import { openBackend, releaseRuns } from './openWorkflowBackend.ts';
import { HandOver } from './errors.ts';
import { untilKept } from '../store/storageError.ts';

/** How many executions run at once; most of them wait for a response or a delay. */
const concurrency = 64;
/** A wait up to this long keeps its slot, unless other executions need one. */
const defaultWaitMs = 5000;
const longestCrowdedWaitMs = 100;
/** How often the engine polls for runs that nothing announces, such as those whose lease has expired. */
const roundMs = 1000;
/** How long stopping waits for nodes that ignore the signal. */
const stopTimeoutMs = 3000;
/** The delay until a run can be claimed after its time was set. */
const parkingMs = 5;

const RunInput = v.object({ executionId: v.string() });

export interface EngineOptions {
  readonly store: Store;
  readonly sandbox: Sandbox;
  /** The store's file, or ":memory:". */
  readonly path: string;
  /** Limits HTTP request nodes to public addresses; default false. */
  readonly refusesPrivateAddresses?: boolean;
  readonly logger: Logger;
  /** The store's clock; default the system's. */
  readonly now?: Now;
  /** A longer wait, in milliseconds, is handed over to another run; default 5,000. */
  readonly longestWaitMs?: number;
}

/** Runs executions. They survive the process: an engine that opens the same data continues them. */
export class Engine {
  readonly #backend: BackendSqlite;
  readonly #options: EngineOptions;
  readonly #now: Now;
  readonly #worker: Worker;
  readonly #run: (
    executionId: string,
    idempotencyKey: string,
    availableAt: Date | undefined,
  ) => Promise<{ readonly isOver: boolean }>;
  readonly #stopping = new AbortController();
  readonly #timers = new Set<NodeJS.Timeout>();
  /** The running work by execution id. */
  readonly #working = new Map<string, Promise<void>>();
  /** Accepted executions that couldn't be enqueued yet. */
  readonly #waiting = new Map<string, { readonly next: UnfinishedExecution; readonly wakeAt: number }>();
  #rounds: NodeJS.Timeout | undefined;

  private constructor(backend: BackendSqlite, options: EngineOptions) {
    this.#backend = backend;
    this.#options = options;
    this.#now = options.now ?? systemClock.now;
    const client = new OpenWorkflow({ backend });
    const workflow = client.defineWorkflow<unknown, null>({ name: 'interpreter' }, async ({ input, run }) => {
      await this.#work(v.parse(RunInput, input).executionId, run.id);
      return null;
    });
    this.#run = async (executionId, idempotencyKey, availableAt) => {
      const options = availableAt ? { idempotencyKey, availableAt } : { idempotencyKey };
      const { workflowRun } = await workflow.run({ executionId }, options);
      return { isOver: isOver(workflowRun.status) };
    };
    this.#worker = client.newWorker({ concurrency });
  }

  /** Opens the data; nothing runs until `begin` is called. */
  static async open(options: EngineOptions): Promise<Engine> {
    return new Engine(await openBackend(options.path), options);
  }

  /** Starts with the unfinished executions of an earlier process; can be called again after a rejection. */
  async begin(): Promise<void> {
    releaseRuns(this.#backend);
    for (const execution of await this.#options.store.executions.listUnfinished())
      await this.#takeUp(execution);
    if (this.#stopping.signal.aborted) return;
    // The worker's own polling sleeps for up to a second and would delay every stop, so the engine polls instead.
    this.#rounds = setInterval(() => {
      for (const [id, { next, wakeAt }] of this.#waiting) {
        this.#waiting.delete(id);
        void this.#enqueue(next, wakeAt);
      }
      this.#lookForWork();
    }, roundMs);
    this.#lookForWork();
  }

  /** Starts a stored execution; if that fails, the engine retries it later. */
  async start(executionId: string): Promise<void> {
    await this.#enqueue({ id: executionId, runId: null, handovers: 0, hasDefinition: true }, 0);
  }

  /** Stops all work; interrupted nodes run again at the next start. */
  async stop(): Promise<void> {
    this.#stopping.abort(new DOMException('The service stops.', 'AbortError'));
    clearInterval(this.#rounds);
    for (const timer of this.#timers) clearTimeout(timer);
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, stopTimeoutMs);
    });
    await Promise.race([this.#worker.stop(), timeout]);
    clearTimeout(timer);
    await this.#backend.stop();
  }

  /** Makes sure that an engine run exists for an execution that an earlier process left unfinished. */
  async #takeUp(execution: UnfinishedExecution): Promise<void> {
    const { executions } = this.#options.store;
    const { id, runId, hasDefinition } = execution;
    if (!hasDefinition) {
      const message = 'The service ended before the execution could begin.';
      const error = { code: 'interrupted', message };
      await executions.finish(ofNoRun(id), { status: 'failed', error });
      return;
    }
    if (runId === null) {
      if (!(await this.#enqueue(execution, 0))) return;
    } else {
      const run = await this.#backend.getWorkflowRun({ workflowRunId: runId });
      if (run && !isOver(run.status)) return;
    }
    const next = await executions.handOver(ofNoRun(id));
    if (next) await this.#enqueue(next, 0);
  }

  /** Enqueues a run that starts at `wakeAt`, in epoch milliseconds; returns true when that run has already ended. */
  async #enqueue(next: UnfinishedExecution, wakeAt: number): Promise<boolean> {
    try {
      const milliseconds = this.#until(wakeAt);
      const availableAt = milliseconds > 0 ? new Date(Date.now() + milliseconds) : undefined;
      const { isOver: hasEnded } = await this.#run(next.id, `${next.id}/${next.handovers}`, availableAt);
      this.#wakeAfter(milliseconds);
      return hasEnded;
    } catch (error) {
      this.#options.logger.error(
        `The engine could not take the execution ${next.id}; it tries again.`,
        error,
      );
      this.#waiting.set(next.id, { next, wakeAt });
      return false;
    }
  }

  /** When the lease of a run expires while the thread is blocked, the run is claimed again: it then joins the work in progress. */
  #work(executionId: string, runId: string): Promise<void> {
    const known = this.#working.get(executionId);
    if (known) return known;
    const work = this.#carryOut(executionId, runId).finally(() => {
      this.#working.delete(executionId);
      // Executions that wait for a free slot don't have to wait for the next poll.
      this.#wakeAfter(parkingMs);
    });
    this.#working.set(executionId, work);
    return work;
  }

  async #carryOut(executionId: string, runId: string): Promise<void> {
    const { store, sandbox, logger, refusesPrivateAddresses = false } = this.#options;
    const { signal } = this.#stopping;
    const rest = await runExecution({
      executionId,
      runId,
      store,
      sandbox,
      logger,
      refusesPrivateAddresses,
      signal,
      now: this.#now,
      waitUntil: (wakeAt) => this.#waitUntil(wakeAt),
    });
    if (rest === undefined) return;
    const handOver = () => store.executions.handOver(rest.claim);
    const next = signal.aborted ? await handOver() : await untilKept(signal, handOver);
    if (next) await this.#enqueue(next, rest.wakeAt);
  }

  /** Returns the milliseconds left until `wakeAt` by the store's clock; OpenWorkflow itself always uses the system's clock. */
  #until(wakeAt: number): number {
    return Math.max(0, wakeAt - this.#now());
  }

  async #waitUntil(wakeAt: number): Promise<void> {
    const milliseconds = this.#until(wakeAt);
    const isCrowded = this.#working.size >= concurrency;
    const longestMs = isCrowded ? longestCrowdedWaitMs : (this.#options.longestWaitMs ?? defaultWaitMs);
    if (milliseconds > longestMs) throw new HandOver(wakeAt);
    if (milliseconds > 0) await wait(systemClock, milliseconds, this.#stopping.signal);
  }

  /** Polls after the given time, ahead of the next regular poll. */
  #wakeAfter(milliseconds: number): void {
    if (this.#rounds === undefined || this.#stopping.signal.aborted) return;
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      this.#lookForWork();
    }, milliseconds);
    this.#timers.add(timer);
  }

  #lookForWork(): void {
    this.#worker
      .tick()
      .catch((error: unknown) => this.#options.logger.error('The engine could not look for work.', error));
  }
}

function ofNoRun(executionId: string): Claim {
  return { executionId, claim: null };
}

function isOver(status: string): boolean {
  return status !== 'pending' && status !== 'running' && status !== 'sleeping';
}
