// The engine on OpenWorkflow, which its interface hides: executions are leased to one worker at a time, and resumed after a restart or by
// another worker.
import { OpenWorkflow, type Worker } from 'openworkflow';
import { combine, type Disposable } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import { type Now, steadyNow, systemClock, wait, within } from '../../base/time.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { Secrets } from '../secrets/secrets.ts';
import { knownLevel } from '../store/needs.ts';
import type { ClaimedExecution } from '../store/executionClaims.ts';
import type { Store } from '../store/store.ts';
import { Admissions } from './admissions.ts';
import { Cancellations } from './cancellations.ts';
import { runExecution } from './execution.ts';
import type { EngineWatch } from './engineWatch.ts';
import { HandOver } from './errors.ts';
import { defaultLimits, type ExecutionLimits } from './limits.ts';
import { ExecutionLeases, type LeasedExecution, runsWorkflow } from './executionLeases.ts';
import { defaultConcurrency, type HeldSlot, Slots } from './slots.ts';
import { retryUntilStored } from '../store/storageError.ts';

/** For each execution that computes, this many more may wait for a response or a delay. */
const inFlightForEach = 16;
/** How many executions a worker of OpenWorkflow has at once. */
const runsOfWorker = 32;
/** A wait of up to this long stays in flight, unless other executions could use the slot. */
const defaultWaitMs = 5000;
const longestCrowdedWaitMs = 100;
const defaultRoundMs = 1000;
/** How often the engine looks whether the processes of an earlier version have ended. */
const releaseMs = 10_000;
/** An execution whose run failed for a reason that isn't its own goes on after this time, in milliseconds. */
const failedRunMs = 5000;
/** How long stopping waits for nodes that ignore the signal. */
const stopTimeoutMs = 3000;

export interface EngineOptions {
  readonly store: Store;
  readonly sandbox: Sandbox;
  readonly secrets: Secrets;
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
  /** How often it polls for executions that nothing announces, such as those whose lease has expired, in milliseconds; default 1,000. */
  readonly roundMs?: number;
  /** The highest level of needs that it can serve; default: that of this version. */
  readonly level?: number;
  /** How long stopping lets nodes end by themselves, in milliseconds; default 0. */
  readonly drainMs?: number;
}

/** Runs executions. They survive the process: an engine that opens the same data continues them. */
export class Engine {
  readonly #options: EngineOptions;
  readonly #now: Now;
  /** Each worker asks for as many runs as it could work on, so several small workers ask for less. */
  readonly #workers: readonly Worker[];
  readonly #leases: ExecutionLeases;
  readonly #cancellations: Cancellations;
  readonly #slots: Slots;
  readonly #concurrency: number;
  /** Aborted before `#stopping`: no node starts any more. */
  readonly #draining = new AbortController();
  readonly #stopping = new AbortController();
  readonly #timers = new Set<NodeJS.Timeout>();
  /** The last look for work, whether it is still going on, and whether there may be more work since it started. */
  #look: Promise<void> | undefined;
  #isLooking = false;
  #mayLookAgain = false;
  readonly #working = new Set<Promise<void>>();
  readonly #news: Disposable;
  readonly #admissions = new Admissions(
    { now: steadyNow, schedule: (callback, delayMs) => systemClock.schedule(callback, delayMs) },
    (executionId, ms) => void this.#outlive(executionId, ms),
  );
  #rounds: NodeJS.Timeout | undefined;
  #releases: NodeJS.Timeout | undefined;

  /** Nothing runs until `begin` is called. */
  constructor(options: EngineOptions) {
    const { store, secrets, concurrency = defaultConcurrency, level = knownLevel } = options;
    this.#concurrency = concurrency;
    this.#options = options;
    this.#now = options.now ?? systemClock.now;
    const limits = { computing: concurrency, inFlight: concurrency * inFlightForEach };
    this.#slots = new Slots(limits, () => this.#lookForWork());
    this.#leases = new ExecutionLeases({
      store,
      slots: this.#slots,
      admissions: this.#admissions,
      level,
      canReadSecrets: () => secrets.areReadable(),
      onRest: (milliseconds) => this.#wakeAfter(milliseconds),
    });
    this.#cancellations = new Cancellations(store, options.logger, this.#stopping.signal);
    const client = new OpenWorkflow({ backend: this.#leases });
    client.implementWorkflow<unknown, null, undefined>({ name: runsWorkflow }, async ({ run }) => {
      await this.#work(this.#leases.get(run.id));
      return null;
    });
    this.#workers = Array.from({ length: Math.ceil(Slots.most(limits) / runsOfWorker) }, () =>
      client.newWorker({ concurrency: runsOfWorker }),
    );
    const lookAnew = (): void => this.#lookAnew();
    this.#news = combine(store.subscribe('work', lookAnew), store.subscribe('secrets', lookAnew));
  }

  /** Starts with the executions that a dead process left behind; can be called again after a rejection. */
  async begin(): Promise<void> {
    let isReleased = true;
    if (this.#concurrency > 0) {
      isReleased = await this.#options.store.releaseLeases();
      await this.#options.secrets.findProblem();
    }
    if (this.#stopping.signal.aborted) return;
    // The worker's own polling sleeps for up to a second and would delay every stop, so the engine polls instead.
    this.#rounds = setInterval(() => this.#lookAnew(), this.#options.roundMs ?? defaultRoundMs);
    if (!isReleased) this.#releases = setInterval(() => void this.#releaseAgain(), releaseMs);
    this.#lookForWork();
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
    clearInterval(this.#releases);
    this.#draining.abort();
    await within(systemClock, stopTimeoutMs, this.#look ?? Promise.resolve());
    await within(systemClock, this.#options.drainMs ?? 0, Promise.all(this.#working));
    this.#stopping.abort(new DOMException('The service stops.', 'AbortError'));
    for (const timer of this.#timers) clearTimeout(timer);
    await within(systemClock, stopTimeoutMs, Promise.all(this.#workers.map((worker) => worker.stop())));
    this.#admissions.dispose();
  }

  async #releaseAgain(): Promise<void> {
    try {
      if (await this.#options.store.releaseLeases()) clearInterval(this.#releases);
    } catch (error) {
      if (!this.#stopping.signal.aborted)
        this.#options.logger.error('The engine could not look for executions of an earlier version.', error);
    }
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

  async #work({ execution, slot }: LeasedExecution): Promise<void> {
    const cancellation = this.#cancellations.watch(execution.id);
    const work = this.#carryOut(execution, slot, cancellation.signal).finally(() => {
      cancellation.dispose();
      this.#working.delete(work);
    });
    this.#working.add(work);
    await work;
  }

  /** Runs the execution, and ends its lease. */
  async #carryOut(execution: ClaimedExecution, slot: HeldSlot, cancelled: AbortSignal): Promise<void> {
    const { logger } = this.#options;
    const { id: executionId } = execution;
    let wakeAt: number | undefined;
    try {
      wakeAt = await this.#run(execution, slot, cancelled);
    } catch (error) {
      logger.error(`The execution ${executionId} was interrupted by an error; it continues later.`, error, {
        executionId,
      });
      wakeAt = this.#now() + failedRunMs;
    }
    if (wakeAt === undefined) return;
    const milliseconds = Math.max(0, wakeAt - this.#now());
    try {
      const handOver = () => execution.handOver(milliseconds);
      const isHandedOver = this.#stopping.signal.aborted
        ? await handOver()
        : await retryUntilStored(this.#stopping.signal, handOver);
      if (!isHandedOver) return;
      if (milliseconds === 0) this.#options.store.announce('work');
      else this.#wakeAfter(milliseconds);
    } catch (error) {
      if (!this.#stopping.signal.aborted)
        logger.error(`The execution ${executionId} could not be handed over.`, error, { executionId });
    }
  }

  #run(execution: ClaimedExecution, slot: HeldSlot, cancelled: AbortSignal): Promise<number | undefined> {
    const { refusesPrivateAddresses = false, limits = defaultLimits, ...options } = this.#options;
    const signal = AbortSignal.any([this.#stopping.signal, cancelled]);
    const end = AbortSignal.any([this.#draining.signal, signal]);
    return runExecution(
      {
        ...options,
        executionId: execution.id,
        refusesPrivateAddresses,
        limits,
        admissions: this.#admissions,
        signal,
        draining: this.#draining.signal,
        now: this.#now,
        away: (work) => slot.away(work, end),
        waitUntil: (wakeAt, workflowId) => this.#waitUntil(wakeAt, workflowId, slot, signal),
      },
      execution,
    );
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
    this.#leases.note();
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
      const { claimCalls } = this.#leases;
      if ((await worker.tick()) > 0) return true;
      // A worker without room asks for nothing.
      if (this.#leases.claimCalls > claimCalls) return false;
    }
    return false;
  }
}
