// The engine on OpenWorkflow, which its interface hides: runs are stored, leased to one worker at a time, and resumed after a restart or by
// another worker.
import * as v from 'valibot';
import { OpenWorkflow, type Worker } from 'openworkflow';
import { combine, type Disposable } from '../../base/disposable.ts';
import type { LogFields, Logger } from '../../base/logger.ts';
import { type Now, steadyNow, systemClock, wait } from '../../base/time.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { Secrets } from '../secrets/secrets.ts';
import { runsWorkflow } from '../store/engineRuns.ts';
import { knownLevel, type Queue } from '../store/needs.ts';
import type { Store } from '../store/store.ts';
import { Admissions } from './admissions.ts';
import { Cancellation } from './cancellation.ts';
import { PendingRuns } from './pendingRuns.ts';
import { runExecution } from './execution.ts';
import type { EngineBackend } from './engineBackend.ts';
import type { EngineWatch } from './engineWatch.ts';
import { HandOver } from './errors.ts';
import { defaultLimits, type ExecutionLimits } from './limits.ts';
import { QueuedRuns } from './queuedRuns.ts';
import { type HeldSlot, Slots } from './slots.ts';
import { retryUntilStored } from '../store/storageError.ts';

const defaultConcurrency = 64;
/** For each execution that computes, this many more may wait for a response or a delay. */
const inFlightForEach = 16;
/** How many executions a worker of OpenWorkflow has at once. */
const runsOfWorker = 32;
/** A wait of up to this long stays in flight, unless other executions could use the slot. */
const defaultWaitMs = 5000;
const longestCrowdedWaitMs = 100;
const defaultRoundMs = 1000;
/** How often the engine looks for executions that a dead process left without a run. */
const sweepMs = 10_000;
/** How long stopping waits for nodes that ignore the signal. */
const stopTimeoutMs = 3000;

const RunInput = v.object({ executionId: v.string() });

export interface EngineOptions {
  readonly store: Store;
  readonly sandbox: Sandbox;
  readonly secrets: Secrets;
  /** On the store's database. */
  readonly backend: EngineBackend;
  /** Limits HTTP request nodes to public addresses; default false. */
  readonly refusesPrivateAddresses?: boolean;
  /** The limits of one execution; default 100,000 iterations and 1 GiB. */
  readonly limits?: ExecutionLimits | undefined;
  readonly logger: Logger;
  readonly watch?: EngineWatch | undefined;
  /** The store's clock; default the system's. */
  readonly now?: Now;
  /** A longer wait, in milliseconds, is handed over to another run; default 5,000. */
  readonly longestWaitMs?: number;
  /** How many executions compute at once; 0 leaves all to other processes. Default 64. */
  readonly concurrency?: number;
  /** How often it polls for runs that nothing announces, such as those whose lease has expired, in milliseconds; default 1,000. */
  readonly roundMs?: number;
  /** The highest level of needs that it can serve; default: that of this version. */
  readonly level?: number;
  /** How long stopping lets nodes end by themselves, in milliseconds; default 0. */
  readonly drainMs?: number;
}

/** Runs executions. They survive the process: an engine that opens the same data continues them. */
export class Engine {
  readonly #backend: EngineBackend;
  readonly #options: EngineOptions;
  readonly #now: Now;
  /** Each worker asks for as many runs as it could work on, so several small workers ask for less. */
  readonly #workers: readonly Worker[];
  readonly #runs: PendingRuns;
  readonly #queuedRuns: QueuedRuns;
  readonly #slots: Slots;
  readonly #concurrency: number;
  readonly #level: number;
  /** Aborted before `#stopping`: no node starts any more. */
  readonly #draining = new AbortController();
  readonly #stopping = new AbortController();
  readonly #timers = new Set<NodeJS.Timeout>();
  /** The last look for work, whether it is still going on, and whether there may be more work since it started. */
  #look: Promise<void> | undefined;
  #isLooking = false;
  #mayLookAgain = false;
  /** The running work by execution id. */
  readonly #working = new Map<string, Promise<void>>();
  readonly #news: Disposable;
  readonly #admissions = new Admissions(
    { now: steadyNow, schedule: (callback, delayMs) => systemClock.schedule(callback, delayMs) },
    (executionId, ms) => void this.#outlive(executionId, ms),
  );
  #rounds: NodeJS.Timeout | undefined;
  #sweeps: NodeJS.Timeout | undefined;

  /** Nothing runs until `begin` is called. */
  constructor(options: EngineOptions) {
    const { backend, concurrency = defaultConcurrency, level = knownLevel, secrets } = options;
    this.#backend = backend;
    this.#concurrency = concurrency;
    this.#level = level;
    this.#options = options;
    this.#now = options.now ?? systemClock.now;
    const limits = { computing: concurrency, inFlight: concurrency * inFlightForEach };
    this.#slots = new Slots(limits, () => this.#lookForWork());
    this.#queuedRuns = new QueuedRuns({
      backend,
      slots: this.#slots,
      level,
      canReadSecrets: () => secrets.areReadable(),
      onRest: (milliseconds) => this.#wakeAfter(milliseconds),
    });
    const client = new OpenWorkflow({ backend: this.#queuedRuns.backend });
    client.implementWorkflow<unknown, null, undefined>({ name: runsWorkflow }, async ({ input, run }) => {
      await this.#work(v.parse(RunInput, input).executionId, run.id);
      return null;
    });
    this.#runs = new PendingRuns({
      store: options.store,
      logger: options.logger,
      now: this.#now,
      stopping: this.#stopping.signal,
      level,
      add: async ({ id, queue }, idempotencyKey, availableAt) => {
        await new OpenWorkflow({ backend: backend.of(queue) }).runWorkflow(
          { name: runsWorkflow },
          { executionId: id },
          { idempotencyKey, ...(availableAt && { availableAt }) },
        );
      },
      onAdd: (milliseconds) => {
        if (milliseconds === 0) options.store.announce('work');
        else this.#wakeAfter(milliseconds);
      },
    });
    this.#workers = Array.from({ length: Math.ceil(Slots.most(limits) / runsOfWorker) }, () =>
      client.newWorker({ concurrency: runsOfWorker }),
    );
    const lookAnew = (): void => this.#lookAnew();
    this.#news = combine(
      options.store.subscribe('work', lookAnew),
      options.store.subscribe('secrets', lookAnew),
    );
  }

  /** Starts with the executions that a dead process left behind; can be called again after a rejection. */
  async begin(): Promise<void> {
    if (this.#concurrency > 0) {
      await this.#backend.releaseRuns();
      await this.#runs.sweep();
      await this.#options.secrets.findProblem();
    }
    if (this.#stopping.signal.aborted) return;
    // The worker's own polling sleeps for up to a second and would delay every stop, so the engine polls instead.
    this.#rounds = setInterval(() => {
      this.#runs.addLate();
      this.#lookAnew();
    }, this.#options.roundMs ?? defaultRoundMs);
    if (this.#concurrency > 0) this.#sweeps = setInterval(() => this.#sweepAgain(), sweepMs);
    this.#lookForWork();
  }

  /** Starts a stored execution. If that fails, the engine logs it with the fields and retries later. */
  async start(executionId: string, queue: Queue, fields?: LogFields): Promise<void> {
    const next = { id: executionId, queue: queue.name, handovers: 0, hasDefinition: true };
    await this.#runs.add(next, 0, fields);
  }

  /** Cancels a stored execution, whichever process runs it. */
  async cancel(executionId: string): Promise<'cancelled' | 'ended' | 'missing'> {
    const outcome = await this.#options.store.executions.cancel(executionId);
    if (outcome === 'cancelled') this.#options.watch?.onExecutionEnd({ status: 'cancelled' });
    return outcome;
  }

  /** Lets nodes end, then stops all work. Interrupted nodes run again at the next start or in another process. */
  async stop(): Promise<void> {
    this.#news.dispose();
    clearInterval(this.#rounds);
    clearInterval(this.#sweeps);
    this.#draining.abort();
    await within(stopTimeoutMs, this.#look ?? Promise.resolve());
    await within(this.#options.drainMs ?? 0, Promise.all(this.#working.values()));
    this.#stopping.abort(new DOMException('The service stops.', 'AbortError'));
    for (const timer of this.#timers) clearTimeout(timer);
    await within(stopTimeoutMs, Promise.all(this.#workers.map((worker) => worker.stop())));
    this.#admissions.dispose();
    await this.#backend.stop();
  }

  #sweepAgain(): void {
    this.#runs.sweep().catch((error: unknown) => {
      if (!this.#stopping.signal.aborted)
        this.#options.logger.error('The engine could not look for executions without a run.', error);
    });
  }

  async #outlive(executionId: string, ms: number): Promise<void> {
    try {
      await this.#options.store.executions.outlive(executionId, ms);
    } catch (error) {
      if (!this.#stopping.signal.aborted)
        this.#options.logger.error('The time that an execution has run could not be stored.', error, {
          executionId,
        });
    }
  }

  /** When the lease of a run expires while the thread is blocked, the run is claimed again: it then joins the work in progress. */
  #work(executionId: string, runId: string): Promise<void> {
    const known = this.#working.get(executionId);
    if (known) return known;
    const { store, logger } = this.#options;
    const cancellation = new Cancellation(store, logger, executionId, this.#stopping.signal);
    const slot = this.#queuedRuns.slotOf(runId);
    const work = this.#carryOut(executionId, runId, slot, cancellation.signal).finally(() => {
      cancellation.dispose();
      this.#working.delete(executionId);
    });
    this.#working.set(executionId, work);
    return work;
  }

  async #carryOut(executionId: string, runId: string, slot: HeldSlot, cancelled: AbortSignal): Promise<void> {
    const {
      store,
      sandbox,
      secrets,
      logger,
      watch,
      refusesPrivateAddresses = false,
      limits = defaultLimits,
    } = this.#options;
    const signal = AbortSignal.any([this.#stopping.signal, cancelled]);
    const end = AbortSignal.any([this.#draining.signal, signal]);
    const rest = await runExecution({
      executionId,
      runId,
      store,
      sandbox,
      secrets,
      logger,
      watch,
      refusesPrivateAddresses,
      limits,
      admissions: this.#admissions,
      signal,
      draining: this.#draining.signal,
      now: this.#now,
      level: this.#level,
      away: (work) => slot.away(work, end),
      waitUntil: (wakeAt, workflowId) => this.#waitUntil(wakeAt, workflowId, slot, signal),
    });
    if (rest === undefined) return;
    const handOver = () => store.executions.handOver(rest.claim);
    const next = this.#stopping.signal.aborted
      ? await handOver()
      : await retryUntilStored(this.#stopping.signal, handOver);
    if (next) await this.#runs.add(next, rest.wakeAt);
  }

  async #waitUntil(wakeAt: number, workflowId: string, slot: HeldSlot, signal: AbortSignal): Promise<void> {
    const milliseconds = Math.max(0, wakeAt - this.#now());
    const longestMs = this.#slots.isCrowded(workflowId)
      ? longestCrowdedWaitMs
      : (this.#options.longestWaitMs ?? defaultWaitMs);
    if (milliseconds > longestMs) throw new HandOver(wakeAt);
    if (milliseconds === 0) return;
    try {
      const end = AbortSignal.any([this.#draining.signal, signal]);
      await slot.away(() => wait(systemClock, milliseconds, end), end);
    } catch (error) {
      signal.throwIfAborted();
      throw this.#draining.signal.aborted ? new HandOver(wakeAt) : error;
    }
  }

  /** Polls after the given time, ahead of the next regular poll. */
  #wakeAfter(milliseconds: number): void {
    if (this.#rounds === undefined || this.#stopping.signal.aborted) return;
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      this.#lookAnew();
    }, milliseconds);
    this.#timers.add(timer);
  }

  /** Looks for work, if there may be some that wasn't there before. */
  #lookAnew(): void {
    this.#queuedRuns.note();
    this.#lookForWork();
  }

  #lookForWork(): void {
    if (this.#concurrency === 0 || this.#rounds === undefined || this.#draining.signal.aborted) return;
    this.#mayLookAgain = true;
    if (this.#isLooking) return;
    this.#isLooking = true;
    this.#look = this.#lookUntilNone();
  }

  async #lookUntilNone(): Promise<void> {
    try {
      while (this.#mayLookAgain && !this.#draining.signal.aborted) {
        this.#mayLookAgain = false;
        if (await this.#claim()) this.#mayLookAgain = true;
      }
    } catch (error) {
      this.#options.logger.error('The engine could not look for work.', error);
    } finally {
      // Reset at once: a caller that asks from now on starts another look.
      this.#isLooking = false;
    }
  }

  /** Returns true when something was claimed. */
  async #claim(): Promise<boolean> {
    for (const worker of this.#workers) {
      const { claimCalls } = this.#queuedRuns;
      if ((await worker.tick()) > 0) return true;
      // A worker without room asks for nothing.
      if (this.#queuedRuns.claimCalls > claimCalls) return false;
    }
    return false;
  }
}

async function within(milliseconds: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await Promise.race([work, timeout]);
  clearTimeout(timer);
}
